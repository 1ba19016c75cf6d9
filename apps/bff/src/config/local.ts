import type { Environment } from './environment.ts'
import type { codeHostKinds } from './local-variables.ts'

/** The operator's settings of the local Admin API. Secrets are functions, so printing the configuration cannot print them. */
export type LocalSettings = {
  /** Sources by domain, as written; null: the default site. */
  sites: Readonly<Record<string, string>> | null
  sitesWithoutExport: readonly string[]
  /** Sources by project id, as written; null: the first folder. */
  projects: Readonly<Record<string, string>> | null
  /** 0: the remembered port, or a free one. */
  port: number
  strict: boolean
  exportsAtOnce: number
  exportQueue: number
  exportRetentionDays: number
  mirrorNetworks: readonly string[]
  /** Null: the local disk. */
  s3: {
    bucket: string
    /** Null: that of AWS. */
    endpoint: string | null
    region: string
    accessKeyId: string
    secretAccessKey: () => string
  } | null
  /** Null: only the embedded code host. `url` null: the public service of this kind. */
  codeHost: { kind: (typeof codeHostKinds)[number]; url: string | null; token: () => string } | null
  /** Null: maintenance orders only. */
  agentCommand: string | null
  agentMinutes: number
  agentArchiveDays: number
}

const requirements: readonly [whole: string, parts: readonly string[], needed: readonly string[]][] = [
  [
    'LOCAL_S3_BUCKET',
    ['LOCAL_S3_ENDPOINT', 'LOCAL_S3_REGION', 'LOCAL_S3_ACCESS_KEY_ID', 'LOCAL_S3_SECRET_ACCESS_KEY'],
    ['LOCAL_S3_ACCESS_KEY_ID', 'LOCAL_S3_SECRET_ACCESS_KEY'],
  ],
  ['LOCAL_CODE_HOST', ['LOCAL_CODE_HOST_URL', 'LOCAL_CODE_HOST_TOKEN'], ['LOCAL_CODE_HOST_TOKEN']],
]

/** Checks the rules between the variables of the local Admin API. One sentence for each mistake. */
export const findLocalContradictions = (has: (name: string) => boolean, env: Partial<Environment>): string[] => [
  ...requirements.flatMap(([whole, parts, needed]) =>
    has(whole)
      ? needed.filter((name) => !has(name)).map((name) => `${name} is needed with ${whole}.`)
      : parts.filter(has).map((name) => `${name} is set without ${whole}. Set ${whole} too, or remove it.`),
  ),
  ...(env.LOCAL_CODE_HOST === 'gitea' && !has('LOCAL_CODE_HOST_URL')
    ? ['LOCAL_CODE_HOST_URL is needed with LOCAL_CODE_HOST=gitea.']
    : []),
  ...(env.AGENT_COMMAND_NETWORK === true
    ? [
        'AGENT_COMMAND_NETWORK cannot be true: a command with the network could reach the code host on this machine and approve its own pull request. Remove it; it comes back once the sandbox can limit the hosts that a command reaches.',
      ]
    : []),
  ...(env.AGENT_JOB_CREATION === true && env.LOCAL_ADMIN_API_STRICT === true && !has('ADMIN_API_URL')
    ? ['AGENT_JOB_CREATION cannot be true with LOCAL_ADMIN_API_STRICT: a strict service creates no jobs. Remove one.']
    : []),
]

/** Picks the settings of the local Admin API from a valid environment. */
export const readLocalSettings = (env: Environment): LocalSettings => {
  const s3Key = env.LOCAL_S3_SECRET_ACCESS_KEY ?? env.LOCAL_S3_SECRET_ACCESS_KEY_FILE
  const token = env.LOCAL_CODE_HOST_TOKEN ?? env.LOCAL_CODE_HOST_TOKEN_FILE
  const { LOCAL_S3_BUCKET: bucket, LOCAL_S3_ACCESS_KEY_ID: accessKeyId, LOCAL_CODE_HOST: kind } = env
  return {
    sites: env.LOCAL_SITES ?? null,
    sitesWithoutExport: env.LOCAL_SITES_WITHOUT_EXPORT ?? [],
    projects: env.LOCAL_PROJECTS ?? null,
    port: env.LOCAL_ADMIN_API_PORT,
    strict: env.LOCAL_ADMIN_API_STRICT,
    exportsAtOnce: env.LOCAL_EXPORTS_AT_ONCE,
    exportQueue: env.LOCAL_EXPORT_QUEUE,
    exportRetentionDays: env.LOCAL_EXPORT_RETENTION_DAYS,
    mirrorNetworks: env.LOCAL_MIRROR_NETWORKS ?? [],
    s3:
      bucket === undefined || accessKeyId === undefined || s3Key === undefined
        ? null
        : {
            bucket,
            endpoint: env.LOCAL_S3_ENDPOINT ?? null,
            region: env.LOCAL_S3_REGION,
            accessKeyId,
            secretAccessKey: () => s3Key,
          },
    codeHost:
      kind === undefined || token === undefined
        ? null
        : { kind, url: env.LOCAL_CODE_HOST_URL ?? null, token: () => token },
    agentCommand: env.AGENT_COMMAND ?? null,
    agentMinutes: env.AGENT_JOB_MINUTES,
    agentArchiveDays: env.AGENT_JOB_ARCHIVE_DAYS,
  }
}
