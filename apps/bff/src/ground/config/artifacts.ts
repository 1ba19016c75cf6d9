import { join, resolve } from 'node:path'
import type { StoreSettings } from '@docket/artifact-store/bundle-stores'
import type { Environment } from './environment.ts'
import { findMissingParts, readS3, requireS3 } from './stores.ts'

export const findArtifactContradictions = (has: (name: string) => boolean): string[] => [
  ...findMissingParts(has, requireS3('ARTIFACT')),
  ...(has('ARTIFACT_S3_BUCKET') && has('ARTIFACT_STORE_DIR')
    ? ['ARTIFACT_STORE_DIR and ARTIFACT_S3_BUCKET are both set. Keep one of them: bundles have one store.']
    : []),
]

/** Null when bundles are in `DATA_DIR`. */
export const readArtifactStore = (env: Environment): StoreSettings | null =>
  readS3(env, 'ARTIFACT') ??
  (env.ARTIFACT_STORE_DIR === undefined ? null : { kind: 'disk', folder: env.ARTIFACT_STORE_DIR })

/** Settings that locate the store, without its keys. Empty for the folder in `DATA_DIR`. */
export const describeStoreLocation = (store: StoreSettings, dataDir: string): Record<string, string> => {
  switch (store.kind) {
    case 'disk': {
      const folder = resolve(store.folder)
      return folder === resolve(dataDir, 'artifacts') ? {} : { ARTIFACT_STORE_DIR: folder }
    }
    case 's3':
      return {
        ARTIFACT_S3_BUCKET: store.bucket,
        ...(store.endpoint !== null && { ARTIFACT_S3_ENDPOINT: store.endpoint }),
        ARTIFACT_S3_REGION: store.region,
      }
  }
}

/** The operator's settings for stored bundles. Secrets are functions, so printing the configuration cannot print them. */
export const readArtifactSettings = (env: Environment) => ({
  enabled: env.ARTIFACTS === undefined ? env.BUNDLE_DELIVERY === 'stream' : env.ARTIFACTS === 'on',
  store: readArtifactStore(env) ?? ({ kind: 'disk', folder: join(env.DATA_DIR, 'artifacts') } satisfies StoreSettings),
  /** Number of newest bundles of each site to keep. */
  perSite: env.ARTIFACTS_PER_SITE,
  /** Days after which older bundles are deleted. */
  retentionDays: env.ARTIFACT_RETENTION_DAYS,
  maxBytes: env.ARTIFACT_MAX_BYTES,
})

export type ArtifactSettings = ReturnType<typeof readArtifactSettings>
