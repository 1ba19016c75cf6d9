import { ProxyFailed } from './proxy.ts'

const unknownAuthority = /^(?:UNABLE_TO_(?:GET|VERIFY)_|SELF_SIGNED_|DEPTH_ZERO_SELF_SIGNED)/

/** What to do about a certificate that isn't trusted, as a sentence. */
export const buildTrustRemedy = (setting = 'NODE_EXTRA_CA_CERTS'): string =>
  `If a private authority issued it, name a file with that authority in ${setting}.`

/** The rest of a sentence about a server, for the code of an error whose likely cause is a private authority. Null for any other code. */
export const explainUntrusted = (code: string, setting?: string): string | null =>
  unknownAuthority.test(code) ? `its certificate isn’t trusted here (${code}). ${buildTrustRemedy(setting)}` : null

/** First error among an error and its causes that has a code. `fetch` and other clients hide it. */
const findCoded = (error: unknown): (Error & { code: string }) | null => {
  if (!(error instanceof Error)) return null
  const isCoded = 'code' in error && typeof error.code === 'string' && !error.code.startsWith('OAUTH_')
  if (isCoded) return error as Error & { code: string }
  return findCoded(error instanceof AggregateError ? error.errors[0] : error.cause)
}

/**
 * Why there was no connection, as a clause. Null when the error doesn't say. Contains no address but that of a proxy. `caSetting` names
 * certificate authorities for this connection.
 */
export const explainConnection = (error: unknown, caSetting?: string): string | null => {
  const cause = findCoded(error)
  if (cause instanceof ProxyFailed) return cause.message
  const code = cause?.code ?? ''
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `its name is not known here (${code})`
  if (code === 'ECONNREFUSED') return `nothing listens there (${code})`
  const untrusted = explainUntrusted(code, caSetting)
  if (untrusted !== null) return untrusted.replace(/\.$/, '')
  return /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? `the connection failed (${code})` : null
}
