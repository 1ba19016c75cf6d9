import { explainUntrusted } from '@docket/outbound/explain-connection'
import { ForbiddenAddress } from '@docket/outbound/outbound'
import { ProxyFailed } from '@docket/outbound/proxy'
import { AppError } from '#ground/errors/app-error.ts'

/** Docket follows no such link, however often it asks. */
export class LinkRefused extends AppError {
  constructor(message: string) {
    super('upstream_unexpected', message)
  }
}

export const innerAddressError = (place: string): AppError =>
  new LinkRefused(
    `The service gave a bundle link to ${place}, which is an address in a private network. If it’s your storage, add ${place} to BUNDLE_HOSTS.`,
  )

const timedOutCode = 'DOCKET_TIMED_OUT'

export const storageTimeoutError = (): NodeJS.ErrnoException =>
  Object.assign(new Error('The storage took too long.'), { code: timedOutCode })

const readErrorCode = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown'
  if (error instanceof AggregateError) return readErrorCode(error.errors[0])
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

const timeouts = new Set([timedOutCode, 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])

/** Converts a failed exchange for readers: cause and remedy, and never the link. Keeps only the code of the original error. */
export const toStorageError = (error: unknown, place: string): AppError => {
  if (error instanceof AppError) return error
  if (error instanceof ForbiddenAddress) return innerAddressError(place)
  const code = readErrorCode(error)
  const cause = new Error(code)
  if (timeouts.has(code))
    return new AppError('upstream_timeout', `The bundle storage (${place}) did not answer in time. Try again.`, {
      cause,
    })
  const untrusted = explainUntrusted(code)
  const why =
    error instanceof ProxyFailed
      ? `could not be reached: ${error.message}. Check HTTPS_PROXY and NO_PROXY.`
      : untrusted === null
        ? `could not be reached (${code}). Check that Docket can connect to it, then try again.`
        : `could not be reached: ${untrusted}`
  return new AppError('upstream_unavailable', `The bundle storage (${place}) ${why}`, { cause })
}

export const toRefusalError = (status: number): AppError => {
  if (status >= 500 || status === 429 || status === 408)
    return new AppError(
      'upstream_unavailable',
      `The bundle storage reports an error (HTTP ${status}). Try again later.`,
    )
  if (status >= 300 && status < 400)
    return new AppError(
      'upstream_unexpected',
      `The bundle storage redirects more than three times, or to no address (HTTP ${status}). Docket doesn’t follow that.`,
    )
  return new AppError(
    'upstream_refused',
    `The bundle storage refused a new link (HTTP ${status}). If this persists, the service can’t read its own storage.`,
  )
}
