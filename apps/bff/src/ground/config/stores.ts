import type { S3Settings, StoreSettings } from '@docket/artifact-store/bundle-stores'
import { isOpenHttp } from '@docket/outbound/addresses'
import type { Environment } from './environment.ts'
import { join, resolve } from 'node:path'

const stores = ['ARTIFACT', 'LOCAL', 'BACKUP'] as const

/** The bucket of `<name>_S3_*`. Null unless bucket and keys, or a role, are set. */
export const readS3 = (env: Environment, name: (typeof stores)[number]): S3Settings | null => {
  const bucket = env[`${name}_S3_BUCKET`]
  const usesRole = env[`${name}_S3_CREDENTIALS`] === 'role'
  const accessKeyId = env[`${name}_S3_ACCESS_KEY_ID`] ?? (usesRole ? '' : undefined)
  const secret =
    env[`${name}_S3_SECRET_ACCESS_KEY`] ?? env[`${name}_S3_SECRET_ACCESS_KEY_FILE`] ?? (usesRole ? '' : undefined)
  if (bucket === undefined || accessKeyId === undefined || secret === undefined) return null
  const [endpoint = null, region] = [env[`${name}_S3_ENDPOINT`], env[`${name}_S3_REGION`]]
  const token = env[`${name}_S3_SESSION_TOKEN`] ?? env[`${name}_S3_SESSION_TOKEN_FILE`]
  const keys = { accessKeyId, secretAccessKey: () => secret, ...(token !== undefined && { sessionToken: () => token }) }
  return { kind: 's3', bucket, endpoint, region, ...keys, ...(usesRole && { usesRole }) }
}

/** A setting with its parts, some of which are needed, unless the setting `instead` takes their place. */
export type Requirement = readonly [
  whole: string,
  parts: readonly string[],
  needed: readonly string[],
  instead?: string,
]

/** Returns one message for each part that is set without its setting, and for each required part that is missing. */
export const findMissingParts = (
  has: (name: string) => boolean,
  [whole, parts, needed, instead]: Requirement,
): string[] => {
  if (!has(whole))
    return parts.filter(has).map((name) => `${name} is set without ${whole}. Set ${whole} too, or remove it.`)
  if (instead === undefined || !has(instead))
    return needed.filter((name) => !has(name)).map((name) => `${name} is needed with ${whole}.`)
  return needed.filter(has).map((name) => `${name} and ${instead} are both set. Keep one of them.`)
}

/** Refuses plain http to an object store on another machine without consent. */
export const findOpenStores = (env: Partial<Environment>): string[] =>
  stores
    .filter((name) => {
      const url = URL.parse(env[`${name}_S3_ENDPOINT`] ?? '')
      return url !== null && isOpenHttp(url) && env[`${name}_S3_ALLOW_HTTP`] === false
    })
    .map(
      (name) =>
        `${name}_S3_ENDPOINT must be an https:// address: over plain http, others could read and change what is stored. If the network between is yours alone, set ${name}_S3_ALLOW_HTTP=true.`,
    )

export const requireS3 = (name: (typeof stores)[number], more: readonly string[] = []): Requirement => {
  const keys = [`${name}_S3_ACCESS_KEY_ID`, `${name}_S3_SECRET_ACCESS_KEY`]
  const role = `${name}_S3_CREDENTIALS`
  const others = ['ENDPOINT', 'ALLOW_HTTP', 'REGION', 'SESSION_TOKEN'].map((part) => `${name}_S3_${part}`)
  return [`${name}_S3_BUCKET`, [...more, ...others, role, ...keys], keys, role]
}

/** Null when the store is not on this machine. */
export const findLocalFolder = (store: StoreSettings): string | null => (store.kind === 'disk' ? store.folder : null)

/**
 * The host of links to bundles, after `http://` if they are plain. None when Docket serves them or the host is generally known. The operator
 * named the store, so its host may be in a private network.
 */
export const listLinkHosts = (store: StoreSettings | null): string[] => {
  if (store?.kind !== 's3' || store.endpoint === null) return []
  const url = new URL(store.endpoint)
  return [isOpenHttp(url) ? url.origin : url.host]
}

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
