import { isOpenHttp } from '@docket/outbound/addresses'
import { createDiskStorage } from '#local-disk/disk-storage.ts'
import type { LinkStorage, ObjectStorage } from '#object-storage.ts'
import type { S3Options } from '#s3/s3-storage.ts'

type Options = { disk: { folder: string }; s3: S3Options }

export type StoreKind = keyof Options

/** Secrets are functions, so that printing the settings cannot print them. */
export type StoreSettings<Kind extends StoreKind = StoreKind> = { [K in Kind]: { kind: K } & Options[K] }[Kind]

/** `folder` is not null when the store is on this machine, so that Docket has to serve its links. */
type OpenStore = { close: () => void } & (
  | { storage: ObjectStorage; folder: string }
  | { storage: LinkStorage; folder: null }
)

type StoreFactory<Kind extends StoreKind> = {
  label: string
  describe: (settings: StoreSettings<Kind>) => string
  /** Host of links to bundles, after `http://` if they are plain. Null when Docket serves them or the host is generally known. */
  linkHost: (settings: StoreSettings<Kind>) => string | null
  open: (settings: StoreSettings<Kind>, now: () => Date) => Promise<OpenStore>
}

export const bundleStores: { readonly [Kind in StoreKind]: StoreFactory<Kind> } = {
  disk: {
    label: 'a folder',
    describe: ({ folder }) => folder,
    linkHost: () => null,
    open: ({ folder }) => Promise.resolve({ storage: createDiskStorage(folder), folder, close: () => {} }),
  },
  s3: {
    label: 'an S3 object store',
    describe: ({ bucket, endpoint }) => `bucket ${bucket} at ${endpoint ?? 'AWS'}`,
    linkHost: ({ endpoint }) => {
      if (endpoint === null) return null
      const url = new URL(endpoint)
      return isOpenHttp(url) ? url.origin : url.host
    },
    open: async (settings, now) => {
      // Loaded only when used, because the SDK is large.
      const { createS3Storage } = await import('#s3/s3-storage.ts')
      const storage = createS3Storage(settings, now)
      return { storage, folder: null, close: storage.close }
    },
  },
}

/** Reads and writes nothing yet. */
export const openStore = <Kind extends StoreKind>(
  settings: StoreSettings<Kind>,
  now: () => Date = () => new Date(),
): Promise<OpenStore> => bundleStores[settings.kind].open(settings, now)

export const describeStore = <Kind extends StoreKind>(settings: StoreSettings<Kind>): string =>
  bundleStores[settings.kind].describe(settings)

export const findLinkHost = <Kind extends StoreKind>(settings: StoreSettings<Kind>): string | null =>
  bundleStores[settings.kind].linkHost(settings)
