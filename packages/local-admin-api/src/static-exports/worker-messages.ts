import type { DeploymentKind } from '@docket/site-exporter/writer/write-site'
import type { OrderedSource } from '@docket/sources/ordered-source'

/** What a worker process is asked to do. Sent once, right after it started. */
export type ExportOrder = {
  jobId: string
  /** Nothing outside it is read. */
  source: OrderedSource
  /** Folder for what has to be copied to be read. Whoever orders the export removes it. */
  scratch: string
  domain: string
  version: string | null
  paths: string[] | null
  deploymentKind: DeploymentKind
  /** Folder that the site is written to; emptied first. */
  site: string
  /** File the archive is written to, whole or not at all. */
  archive: string
  /** Pauses added over the whole export. Milliseconds. */
  pauseMs: number
  /** Makes the export fail half way with this reason. */
  failWith: string | null
}

/** What a worker process reports. Silence for longer than the watchdog allows means that it hangs. */
export type WorkerReport =
  | { kind: 'progress'; progress: number; pageCount: number }
  /** Nothing new, and not stuck either. */
  | { kind: 'alive' }
  | { kind: 'completed'; pageCount: number }
  | { kind: 'failed'; reason: string }
