import { StorageFailed, StorageFull } from '@docket/artifact-store/object-storage'
import type { NotStoredReason } from '@docket/api-types/artifacts'
import { AdminApiError, AppError } from '#ground/errors/app-error.ts'
import { reasonSentences } from '#bundles/artifacts/artifacts.state.ts'
import { LinkRefused } from '#bundles/download/storage/bundle-failures.ts'

/** Messages for why a bundle is not stored. `retrying` is the message while Docket tries again; null when retrying cannot help. */
type Problem = { reason: NotStoredReason; detail: string; retrying: string | null }

/** A permanent failure: the bundle cannot be stored as it is. */
export class NotStorable extends Error {
  override readonly name = 'NotStorable'
  readonly reason: NotStoredReason

  constructor(reason: NotStoredReason, detail: string = reasonSentences[reason]) {
    super(detail)
    this.reason = reason
  }
}

const readErrorCode = (error: unknown): string | undefined => {
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return typeof code === 'string' ? code : cause instanceof Error ? readErrorCode(cause) : undefined
}

const fullCodes = new Set(['ENOSPC', 'EDQUOT'])

/** Returns a readable reason why a bundle was not stored. Only messages that are meant for people pass through. */
export const describeProblem = (error: unknown): Problem => {
  if (error instanceof NotStorable) return { reason: error.reason, detail: error.message, retrying: null }
  if (error instanceof StorageFull || fullCodes.has(readErrorCode(error) ?? ''))
    return { reason: 'disk_full', detail: reasonSentences.disk_full, retrying: null }
  if (error instanceof AdminApiError && error.code === 'upstream_not_found')
    return { reason: 'no_bundle', detail: reasonSentences.no_bundle, retrying: null }
  const isForPeople = error instanceof AppError || error instanceof AdminApiError || error instanceof StorageFailed
  const detail = isForPeople ? `${error.message} Try again once this is solved.` : reasonSentences.failed
  const cause = isForPeople ? error.message : 'Docket could not fetch or save the bundle.'
  const retrying = error instanceof LinkRefused ? null : `${cause} Docket tries again.`
  return { reason: 'failed', detail, retrying }
}
