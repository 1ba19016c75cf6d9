import pino, { type DestinationStream, type Logger } from 'pino'
import { describeFailure, readStackFrames, toError } from './failure.ts'
import { redactLinks, replaceSecrets } from './redact.ts'

/** Writes JSON lines, one event each. */
export type Log = Logger

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** Converts a thrown value to log fields: name, code, message, stack, and its causes; never its other properties. */
const serializeError = (thrown: unknown, depth = 0): unknown => {
  if (typeof thrown !== 'object' || thrown === null) return redactLinks(String(thrown))
  const error = toError(thrown)
  const code: unknown = 'code' in error ? error.code : undefined
  const message = describeFailure(error)
  return {
    type: error.name,
    message,
    ...(typeof code === 'string' ? { code } : {}),
    stack: [`${error.name}: ${message}`, ...readStackFrames(error)].join('\n'),
    ...(error.cause === undefined || depth > 4 ? {} : { cause: serializeError(error.cause, depth + 1) }),
  }
}

/** Creates the log. Removes `secrets`, to which more may be added later, and everything that looks like a secret from every line. */
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
        options.destination.write(replaceSecrets(redactLinks(line), options.secrets ?? []))
      },
    },
  )

/** Writes warnings of Node and its packages to the log. By default, Node prints them as plain text. */
export const logWarnings = (log: Log): void => {
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn({ err: warning }, 'Node warned of something'))
}
