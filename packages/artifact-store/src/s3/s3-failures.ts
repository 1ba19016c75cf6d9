import { S3ServiceException } from '@aws-sdk/client-s3'
import { StorageFailed, StorageFull } from '#object-storage.ts'

/** HTTP status of a store's refusal; undefined when it did not answer. */
export const readStatus = (error: unknown): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined

/** True when the store understood and refused, so asking again is of no use. */
export const isRefusal = (error: unknown): boolean =>
  isFull(error) || (error instanceof S3ServiceException && error.$fault === 'client')

/** `whenMissing` replaces a 404 of an object. */
export const wrapFailure = async <T>(what: string, call: () => Promise<T>, ...whenMissing: [T] | []): Promise<T> => {
  try {
    return await call()
  } catch (error) {
    if (readStatus(error) === 404 && !isNoBucket(error) && whenMissing.length === 1) return whenMissing[0]
    throw toFailure(what, error)
  }
}

/** Describes a failure in our own words, because messages of stores contain addresses and the SDK's errors the whole request. */
export const toFailure = (what: string, error: unknown): StorageFailed => {
  if (error instanceof StorageFailed) return error
  const status = readStatus(error)
  const reason = isFull(error) ? 'it is full' : explainFailure(error, status)
  const Failure = isFull(error) ? StorageFull : StorageFailed
  return new Failure(`The object storage did not ${what} the bundle: ${reason}.`)
}

const fullNames = new Set([
  'QuotaExceeded',
  'XMinioStorageFull',
  'StorageFull',
  'InsufficientStorage',
  'InsufficientCapacity',
])

const isFull = (error: unknown) => readStatus(error) === 507 || (error instanceof Error && fullNames.has(error.name))

const isNoBucket = (error: unknown) => error instanceof Error && error.name === 'NoSuchBucket'

/** A service that gives out the credentials of this machine. */
export const metadataService = 'the metadata service of a cloud, which Docket never calls'

const explainFailure = (error: unknown, status: number | undefined) => {
  if (isNoBucket(error)) return 'there is no such bucket'
  if (status === 401 || status === 403) return 'it refused the access key, or what the key may do'
  if (status === 416) return 'its object is shorter than it should be'
  if (status !== undefined) return `it answered ${status}`
  if (error instanceof Error && error.name === 'TimeoutError') return 'it did not answer in time'
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ERR_METADATA_ADDRESS') return `its name leads to ${metadataService}`
  return code === undefined ? 'it did not answer as a store does' : `it cannot be reached (${code})`
}
