import { join } from 'node:path'
import type { StoreSettings } from '@docket/artifact-store/bundle-stores'
import { readArtifactStore, findMissingParts, readS3, type Requirement, requireS3 } from './stores.ts'
import type { Environment } from './environment.ts'
import { readContent } from './values.ts'

type CodeHostSettings = {
  kind: 'github' | 'gitlab' | 'gitea'
  /** Null for the public service of this kind. */
  url: string | null
  /** Owner, group or repository that the code host is used for. */
  path?: string
  caFile: string | null
  /** Settings of the token and the address, for messages. */
  settings: { token: string; url: string }
} & ({ token: () => string } | { app: { id: string; privateKey: () => string; installationId: number | null } })

const requirements: readonly Requirement[] = [
  requireS3('LOCAL'),
  ['AGENT_COMMAND', ['AGENT_COMMAND_HOSTS', 'AGENT_COMMAND_ENV_FILE', 'AGENT_CHECK_COMMAND', 'AGENT_JOB_MAX_COST'], []],
  [
    'LOCAL_CODE_HOST',
    ['LOCAL_CODE_HOST_URL', 'LOCAL_CODE_HOST_TOKEN', 'LOCAL_CODE_HOST_CA_FILE'],
    ['LOCAL_CODE_HOST_TOKEN'],
  ],
]

export const findLocalContradictions = (has: (name: string) => boolean, env: Partial<Environment>): string[] => [
  ...requirements.flatMap((one) => findMissingParts(has, one)),
  ...(env.LOCAL_CODE_HOST === 'gitea' && !has('LOCAL_CODE_HOST_URL')
    ? ['LOCAL_CODE_HOST_URL is needed with LOCAL_CODE_HOST=gitea.']
    : []),
  ...(env.AGENT_COMMAND_NETWORK === true
    ? [
        'AGENT_COMMAND_NETWORK cannot be true: it would open the whole network. Remove it, and list the hosts that the command needs in AGENT_COMMAND_HOSTS.',
      ]
    : []),
  ...(env.AGENT_JOB_CREATION === true && env.LOCAL_ADMIN_API_STRICT === true && !has('ADMIN_API_URL')
    ? ['AGENT_JOB_CREATION cannot be true with LOCAL_ADMIN_API_STRICT: a strict service creates no jobs. Remove one.']
    : []),
]

/** The older variable names take precedence, so that the bundles of an earlier version are found. */
const readStore = (env: Environment): (StoreSettings & { prefix: '' | 'embedded/' }) | null => {
  const older = readS3(env, 'LOCAL')
  if (older !== null) return { ...older, prefix: '' }
  const store = readArtifactStore(env)
  if (store?.kind === 'disk') return { ...store, folder: join(store.folder, 'embedded'), prefix: '' }
  return store && { ...store, prefix: 'embedded/' }
}

const hostsFile = 'LOCAL_CODE_HOSTS_FILE'

const readCodeHosts = (env: Environment): CodeHostSettings[] => {
  const { LOCAL_CODE_HOST: kind, LOCAL_CODE_HOST_URL: url, LOCAL_CODE_HOST_CA_FILE: ca } = env
  const token = env.LOCAL_CODE_HOST_TOKEN ?? env.LOCAL_CODE_HOST_TOKEN_FILE
  const more = (env.LOCAL_CODE_HOSTS_FILE ?? []).map(
    ({ kind, url, path, caFile, tokenFile, app }): CodeHostSettings => {
      const host = { kind, url: url ?? null, ...(path !== undefined && { path }), caFile: caFile ?? null }
      if (app === undefined)
        return {
          ...host,
          settings: { token: `the file ${tokenFile}`, url: hostsFile },
          token: () => readContent(tokenFile!),
        }
      const { id, privateKeyFile, installationId = null } = app
      return {
        ...host,
        settings: { token: `the GitHub App ${id}`, url: hostsFile },
        app: { id, privateKey: () => readContent(privateKeyFile), installationId },
      }
    },
  )
  if (kind === undefined || token === undefined) return more
  return [
    {
      kind,
      url: url ?? null,
      caFile: ca ?? null,
      settings: { token: 'LOCAL_CODE_HOST_TOKEN', url: 'LOCAL_CODE_HOST_URL' },
      token: () => token,
    },
    ...more,
  ]
}

/** The operator's settings of the local Admin API. Secrets are functions, so printing the configuration cannot print them. */
export const readLocalSettings = (env: Environment) => ({
  /** Sources by domain, as written. Null for the default site. */
  sites: env.LOCAL_SITES ?? null,
  /** Sources by project id, as written. Null for the first folder. */
  projects: env.LOCAL_PROJECTS ?? null,
  /** 0 for the port of the last start, or a free one. */
  port: env.LOCAL_ADMIN_API_PORT,
  strict: env.LOCAL_ADMIN_API_STRICT,
  exports: {
    atOnce: env.LOCAL_EXPORTS_AT_ONCE,
    queueLength: env.LOCAL_EXPORT_QUEUE,
    keepDays: env.LOCAL_EXPORT_RETENTION_DAYS,
    refused: env.LOCAL_SITES_WITHOUT_EXPORT ?? [],
    withHiddenPages: env.LOCAL_SITES_WITH_HIDDEN_PAGES ?? [],
    fetchHosts: env.LOCAL_EXPORT_FETCH_HOSTS ?? [],
  },
  mirror: { privateNetworks: env.LOCAL_MIRROR_NETWORKS ?? [] },
  /** Store of bundles, shared by all machines. Null when bundles are in `DATA_DIR`. */
  store: readStore(env),
  /** Empty when there is only the embedded code host. */
  codeHosts: readCodeHosts(env),
  rules: {
    /** Null for the docs agent. */
    author: env.AGENT_COMMIT_AUTHOR ?? null,
    committer: env.AGENT_COMMIT_COMMITTER ?? env.AGENT_COMMIT_AUTHOR ?? null,
    signOff: env.AGENT_COMMIT_SIGN_OFF,
    signingKeyFile: env.AGENT_COMMIT_SIGNING_KEY_FILE ?? null,
    requester: env.AGENT_REQUESTER,
    title: env.AGENT_PULL_REQUEST_TITLE,
    body: env.AGENT_PULL_REQUEST_BODY_FILE ?? null,
    draft: env.AGENT_PULL_REQUEST_DRAFT,
    labels: env.AGENT_PULL_REQUEST_LABELS ?? [],
    reviewers: env.AGENT_PULL_REQUEST_REVIEWERS ?? [],
    openPullRequests: env.AGENT_OPEN_PULL_REQUESTS ?? null,
  },
  agent: {
    /** Null when only maintenance orders are available. */
    command: env.AGENT_COMMAND ?? null,
    /** Hosts that the command may reach. Null when it has no network. */
    hosts: env.AGENT_COMMAND_HOSTS ?? null,
    envFile: env.AGENT_COMMAND_ENV_FILE ?? null,
    checkCommand: env.AGENT_CHECK_COMMAND ?? null,
    maxCostUsd: env.AGENT_JOB_MAX_COST ?? null,
    minutes: env.AGENT_JOB_MINUTES,
    archiveDays: env.AGENT_JOB_ARCHIVE_DAYS,
    atOnce: env.AGENT_JOBS_AT_ONCE,
    dayMaxUsd: env.AGENT_DAY_MAX_COST ?? null,
  },
})
