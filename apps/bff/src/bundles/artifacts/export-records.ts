import type { NewEvent } from '#service/history/history.ts'
import type { Actor } from '#ground/identity/actor.ts'
import type { Tx } from '#ground/db/database.ts'

/** An export, as far as its bundle is concerned. */
export type ExportForArtifact = {
  exportId: string
  connectionId: string
  domain: string
  startedAt: Date
  isCompleted: boolean
  /** Null for an uploaded bundle, which no service has. */
  jobId: string | null
}

/** An export for a bundle that a person uploads. */
export type NewUpload = Pick<ExportForArtifact, 'exportId' | 'connectionId' | 'domain'> & {
  requestId: string | null
  version: string | null
  by: Actor
}

/** What stored bundles need of exports. */
export type ExportRecords = {
  /** A listed export. `not_found` for any other. */
  find: (exportId: string) => Promise<ExportForArtifact>
  /** An export, listed or not. `not_found` for an unknown one. */
  findKnown: (tx: Tx, exportId: string) => Promise<ExportForArtifact>
  /** Bumps the revision of exports. Call it last in the transaction, and `recordEvents` after it. */
  countChange: (tx: Tx, exportIds: readonly string[]) => Promise<void>
  recordEvents: (tx: Tx, exportId: string, events: readonly NewEvent[]) => Promise<void>
  /** Notes size and checksum of a bundle. */
  noteBundle: (tx: Tx, exportId: string, bundle: { sizeBytes: number; sha256: string }) => Promise<void>
  /** Lists a completed export that no service knows, for a bundle that a person uploads. */
  createUploaded: (tx: Tx, uploaded: NewUpload & { at: Date }) => Promise<void>
  /** The export that a request made before. Null for a new one; `invalid_request` if it was for another domain or connection. */
  findRequested: (request: { requestId: string; connectionId: string; domain: string }) => Promise<string | null>
}
