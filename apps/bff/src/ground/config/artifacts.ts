import { readS3, type S3Settings } from './s3.ts'
import { join, resolve } from 'node:path'
import type { Environment } from './environment.ts'

/** The operator's settings for stored bundles. Secrets are functions, so printing the configuration cannot print them. */
export type ArtifactSettings = {
  /** False: Docket stores nothing more. */
  enabled: boolean
  /** Folder of the store. Not used with `s3`. */
  folder: string
  s3: S3Settings | null
  /** Newest bundles of each site that stay. */
  perSite: number
  /** Days after which older ones go. */
  retentionDays: number
  maxBytes: number
}

const s3Parts = [
  'ARTIFACT_S3_ENDPOINT',
  'ARTIFACT_S3_REGION',
  'ARTIFACT_S3_ACCESS_KEY_ID',
  'ARTIFACT_S3_SECRET_ACCESS_KEY',
]

/** Checks the rules between the variables of stored bundles. One sentence for each mistake. */
export const findArtifactContradictions = (has: (name: string) => boolean): string[] => {
  if (!has('ARTIFACT_S3_BUCKET'))
    return s3Parts
      .filter(has)
      .map((name) => `${name} is set without ARTIFACT_S3_BUCKET. Set ARTIFACT_S3_BUCKET too, or remove it.`)
  return [
    ...['ARTIFACT_S3_ACCESS_KEY_ID', 'ARTIFACT_S3_SECRET_ACCESS_KEY']
      .filter((name) => !has(name))
      .map((name) => `${name} is needed with ARTIFACT_S3_BUCKET.`),
    ...(has('ARTIFACT_STORE_DIR')
      ? ['ARTIFACT_STORE_DIR and ARTIFACT_S3_BUCKET are both set. Keep one of them: bundles have one store.']
      : []),
  ]
}

/** The bucket for bundles. Null: they are in a folder. */
export const readArtifactS3 = (env: Environment): S3Settings | null =>
  readS3({
    bucket: env.ARTIFACT_S3_BUCKET,
    endpoint: env.ARTIFACT_S3_ENDPOINT,
    region: env.ARTIFACT_S3_REGION,
    accessKeyId: env.ARTIFACT_S3_ACCESS_KEY_ID,
    s3Key: env.ARTIFACT_S3_SECRET_ACCESS_KEY ?? env.ARTIFACT_S3_SECRET_ACCESS_KEY_FILE,
  })

/** Settings that lead to the store, without its keys. Empty for the folder in `DATA_DIR`. */
export const describeStore = (
  { folder, s3 }: Pick<ArtifactSettings, 'folder' | 's3'>,
  dataDir: string,
): Record<string, string> => {
  if (s3 === null)
    return resolve(folder) === resolve(dataDir, 'artifacts') ? {} : { ARTIFACT_STORE_DIR: resolve(folder) }
  const { bucket, endpoint, region } = s3
  return {
    ARTIFACT_S3_BUCKET: bucket,
    ...(endpoint !== null && { ARTIFACT_S3_ENDPOINT: endpoint }),
    ARTIFACT_S3_REGION: region,
  }
}

/** Picks the settings of stored bundles from a valid environment. */
export const readArtifactSettings = (env: Environment): ArtifactSettings => {
  return {
    enabled: env.ARTIFACTS === undefined ? env.BUNDLE_DELIVERY === 'stream' : env.ARTIFACTS === 'on',
    folder: env.ARTIFACT_STORE_DIR ?? join(env.DATA_DIR, 'artifacts'),
    s3: readArtifactS3(env),
    perSite: env.ARTIFACTS_PER_SITE,
    retentionDays: env.ARTIFACT_RETENTION_DAYS,
    maxBytes: env.ARTIFACT_MAX_BYTES,
  }
}
