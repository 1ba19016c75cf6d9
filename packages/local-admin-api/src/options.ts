import type { Log } from '#log.ts'

/** How to run a local Admin API. */
export type LocalAdminApiOptions = {
  /** Everything it keeps; made when missing. One local Admin API at a time. */
  dataDir: string
  /** Folders of Markdown or MDX by the domain they are exported as. The first one also feeds the reserved domains. */
  sites: Readonly<Record<string, string>>
  /** Folders by project id, each the first content of a git repository for agent jobs. Default: `docs`, the first site. */
  projects?: Readonly<Record<string, string>>
  /** Admin API key that calls must carry. */
  key: string
  /** 0 or absent: a free one. */
  port?: number
  log?: Log
  now?: () => Date
  /** Lifetime of a bundle link. Milliseconds; 15 minutes when absent. */
  linkMs?: number
  /** Longest silence of a worker process before its export fails. Milliseconds; a minute when absent. */
  silenceMs?: number
  /** JavaScript heap of a worker process. Megabytes; 512 when absent. */
  memoryMb?: number
  /** Static export answers hold only what Admin API §2.3 shows, as the plainest service would answer. */
  strict?: boolean
  /** Program of the worker process; another one only in tests. */
  workerProgram?: string
}
