import pino, { type DestinationStream, type Logger } from 'pino'
import { withoutSecrets } from './redact.ts'
import { withoutValues } from './failure.ts'

/** Writes JSON lines, one event each. */
export type Log = Logger

/** Levels of `LOG_LEVEL`, most verbose first. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/**
 * Removes bearer credentials, queries of links (presigned links carry their signature there), and passwords in URLs.
 */
const clean = (text: string): string =>
  text
    .replace(/\bBearer\s+[^\s"',;]+/gi, 'Bearer [redacted]')
    .replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/gi, '$1[redacted]@')
    .replace(/(\b(?:https?):\/\/[^\s?#"'<>]*)\?[^\s"'<>]*/gi, '$1?[redacted]')

/** Converts a thrown value to log fields: name, code, cleaned message and stack, and its causes; never its other properties. */
const serializeError = (error: unknown, depth = 0): unknown => {
  if (!(error instanceof Error)) return typeof error === 'string' ? clean(error) : `[${typeof error}]`
  const code: unknown = 'code' in error ? error.code : undefined
  const redact = (text: string) => clean(withoutValues(error, text))
  return {
    type: error.name,
    message: redact(error.message),
    ...(typeof code === 'string' ? { code } : {}),
    ...(error.stack === undefined ? {} : { stack: redact(error.stack) }),
    ...(error.cause === undefined || depth > 4 ? {} : { cause: serializeError(error.cause, depth + 1) }),
  }
}

/** Creates the log. Removes `secrets`, which may grow, and everything that looks like a secret from every line. */
export const createLog = (options: {
  level: (typeof logLevels)[number]
  destination: DestinationStream
  secrets?: Iterable<string>
}): Log =>
  pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: serializeError, error: serializeError, cause: serializeError },
    },
    {
      write: (line: string) => {
        options.destination.write(withoutSecrets(clean(line), options.secrets ?? []))
      },
    },
  )
