import type { StoreSettings } from '@docket/artifact-store/bundle-stores'
import type { CodeHostOptions } from '@docket/code-hosts/api/services'
import type { NetworkRules } from '@docket/sandbox/network/check-destination'
import type { RepositoryRules } from '@docket/doc-agent/work/repository-rules'
import type { Database } from '#database/database.ts'
import type { Log } from '#log.ts'

export type ExportOptions = {
  /** Exports that run at the same time in this process; 1 when absent. With 0, other processes do the work. */
  atOnce?: number
  /** Exports of one domain that run at the same time, over all processes; `atOnce`, and at least 1, when absent. */
  perSite?: number
  /** Exports that may wait, over all processes; more are answered 429. 50 when absent. */
  queueLength?: number
  /** Days until a finished export and its bundle are removed; 90 when absent. */
  keepDays?: number
  /** Domains whose exports are refused with 403, as by a plan that does not include them. */
  refused?: readonly string[]
  /** Domains whose exports include hidden pages; none when absent. */
  withHiddenPages?: readonly string[]
  /** Maximum silence of a worker process before its export fails. Milliseconds; a minute by default. */
  silenceMs?: number
  /** How long a finished bundle waits for a broken or full store before its export fails. Milliseconds; ten minutes when absent. */
  storeMs?: number
  /** Other hosts whose pictures and documents exports copy; none when absent. */
  fetchHosts?: readonly string[]
  /** JavaScript heap of a worker process. Megabytes; 512 when absent. */
  memoryMb?: number
  /** Program of the worker process; another one only in tests. */
  workerProgram?: string
}

export type MirrorOptions = {
  /** Private addresses and networks (`10.20.0.0/16`) that mirrored sites may be in; none when absent. */
  privateNetworks?: readonly string[]
}

export type AgentOptions = {
  /** Command that works on prompts in a sandbox. When null or absent, prompts are refused, and only maintenance orders run. */
  command?: string | null
  /** Hosts that the command may reach, and Docket's own hosts, which stay refused. When absent, it has no network. */
  network?: NetworkRules | null
  envFile?: string | null
  checkCommand?: string | null
  /** Reported cost of one job at which the command is stopped. US dollars. */
  maxCostUsd?: number | null
  hidden?: readonly string[]
  /** Time limit of one job. Minutes; 30 by default. */
  minutes?: number
  /** Days after its end until a job is archived; 30 when absent. */
  archiveDays?: number
  /** Maximum jobs and follow-up messages per project and hour; 100 by default. */
  perHour?: number
  /** Jobs that run at the same time, at most one per project; 2 by default. With 0, other processes do the work. */
  atOnce?: number
  /** Reported cost per day (UTC) from which no new work begins. US dollars; no limit when null or absent. */
  dayMaxUsd?: number | null
  rules?: Partial<RepositoryRules>
}

export type LocalAdminApiOptions = {
  /** Folder of this process, created when missing. Only one local Admin API may use it at a time. */
  dataDir: string
  /** Docket's database, with the tables of this service. Processes that share it are one service. */
  database: Database
  /** False when it only works for other processes and answers no requests. */
  serves?: boolean
  /** True when no other process can use the database, so that work left by a crash is resumed at once. */
  alone?: boolean
  /** Sources by the domain they are exported as; see `parseSource`. The first one also feeds the reserved domains. */
  sites: Readonly<Record<string, string>>
  /** Sources by project id, for agent jobs. Default: `docs`, the first site that is a folder. */
  projects?: Readonly<Record<string, string>>
  key: string
  /** Port to listen on. 0 or absent: a free one. */
  port?: number
  log?: Log
  now?: () => Date
  /** Lifetime of a bundle link. Milliseconds; 15 minutes when absent. */
  linkMs?: number
  /** Serves only the four operations of the Admin API, with the fields it describes. */
  strict?: boolean
  exports?: ExportOptions
  mirror?: MirrorOptions
  /** Store of bundles and rendered pages that the processes share. Default: `dataDir`, for one machine. */
  store?: StoreSettings & { prefix: '' | 'embedded/' }
  codeHosts?: readonly CodeHostOptions[]
  /** False while the disk is nearly full, so that new exports and jobs are refused. When absent, nothing is refused. */
  hasRoom?: () => boolean
  agent?: AgentOptions
}
