import { createDiskStorage } from '#local-disk/disk-storage.ts'
import type { LinkStorage, ObjectStorage } from '#object-storage.ts'
import type { S3Options } from '#s3/s3-storage.ts'

export type S3Settings = { kind: 's3' } & S3Options

/** Secrets are functions, so that printing the settings cannot print them. */
export type StoreSettings = { kind: 'disk'; folder: string } | S3Settings

/** `folder` is not null when the store is on this machine, so that Docket has to serve its links. */
type OpenStore = { close: () => void } & (
  | { storage: ObjectStorage; folder: string }
  | { storage: LinkStorage; folder: null }
)

/** Reads and writes nothing yet. */
export const openStore = async (settings: StoreSettings, now = () => new Date()): Promise<OpenStore> => {
  if (settings.kind === 'disk') {
    const { folder } = settings
    return { storage: createDiskStorage(folder), folder, close: () => {} }
  }
  // Loaded only when used, because the SDK is large.
  const { createS3Storage } = await import('#s3/s3-storage.ts')
  const storage = createS3Storage(settings, now)
  return { storage, folder: null, close: storage.close }
}

export const describeStore = (settings: StoreSettings): string =>
  settings.kind === 'disk' ? settings.folder : `bucket ${settings.bucket} at ${settings.endpoint ?? 'AWS'}`
