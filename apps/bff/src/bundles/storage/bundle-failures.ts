import { AppError } from '#errors/app-error.ts'

const notAllowedCode = 'DOCKET_ADDRESS_NOT_ALLOWED'

/** The failure of a connection to an address that bundles are not fetched from. */
export const notAllowed = (): NodeJS.ErrnoException =>
  Object.assign(new Error('The address is not allowed.'), { code: notAllowedCode })

const timedOutCode = 'DOCKET_TIMED_OUT'

/** The failure of an exchange that took too long. */
export const timedOut = (): NodeJS.ErrnoException =>
  Object.assign(new Error('The storage took too long.'), { code: timedOutCode })

const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown'
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

const timeouts = new Set([timedOutCode, 'ETIMEDOUT'])

/**
 * A failed exchange with the storage as readers see it: cause and remedy, the storage's host and port, and never the link. Only the code of the
 * original error is kept, for its text may hold what was asked for.
 */
export const storageFailure = (error: unknown, place: string): AppError => {
  if (error instanceof AppError) return error
  const code = codeOf(error)
  const cause = new Error(code)
  if (code === notAllowedCode)
    return new AppError(
      'upstream_unexpected',
      `The service gave a bundle link to ${place}, which is an address inside a private network. If it is your storage, add ${place} to BUNDLE_HOSTS.`,
    )
  if (timeouts.has(code))
    return new AppError('upstream_timeout', `The bundle storage (${place}) did not answer in time. Try again.`, {
      cause,
    })
  if (
    code.startsWith('ERR_TLS') ||
    code.includes('CERT') ||
    code.includes('SELF_SIGNED') ||
    code.startsWith('UNABLE_TO_')
  )
    return new AppError(
      'upstream_unavailable',
      `The certificate of the bundle storage (${place}) is not trusted here (${code}). Give Docket its authority with NODE_EXTRA_CA_CERTS.`,
      { cause },
    )
  return new AppError(
    'upstream_unavailable',
    `The bundle storage (${place}) could not be reached (${code}). Check that Docket may connect to it, then try again.`,
    { cause },
  )
}

/** A status of the storage that is no bundle. */
export const storageRefusal = (status: number): AppError => {
  if (status >= 500 || status === 429 || status === 408)
    return new AppError('upstream_unavailable', `The bundle storage is out of order (HTTP ${status}). Try again later.`)
  if (status >= 300 && status < 400)
    return new AppError(
      'upstream_unexpected',
      `The bundle storage redirects (HTTP ${status}), which Docket does not follow.`,
    )
  return new AppError(
    'upstream_refused',
    `The bundle storage refused a link that was just made (HTTP ${status}). If this stays, the service cannot read its own storage.`,
  )
}
