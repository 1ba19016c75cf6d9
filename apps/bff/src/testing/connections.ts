import { testConnectionId } from '#testing/connection.ts'
import { randomUUID } from 'node:crypto'
import { artifacts, storedBundles } from '#bundles/artifacts/artifacts.table.ts'
import { connections } from '#ground/db/connections.table.ts'
import { agentJobs } from '#records/agent-jobs/agent-jobs.table.ts'
import type { Database } from '#ground/db/database.ts'
import { staticExports } from '#records/static-exports/static-exports.table.ts'

/** Inserts a connection into the database, without a service behind it. */
export const addConnection = async (db: Database, name: string): Promise<string> => {
  const service = { kind: 'service', source: 'settings', baseUrl: `https://${randomUUID()}.example` } as const
  const limits = { deploymentKind: 'cloud', callsPerHour: 0, timeoutMs: 30_000, agentJobCreation: true } as const
  const [row] = await db
    .insert(connections)
    .values({ name, ...service, ...limits })
    .returning()
  return row!.connectionId
}

/** Inserts a completed export. */
export const insertExport = async (
  db: Database,
  {
    exportId,
    domain,
    at = new Date(),
    ...more
  }: { exportId: string; domain: string; at?: Date; connectionId?: string; jobId?: string },
): Promise<void> => {
  const ids = { connectionId: testConnectionId, jobId: exportId, ...more }
  await db.insert(staticExports).values({ ...ids, exportId, domain, state: 'completed', startedAt: at, finishedAt: at })
}

type StoredExport = { exportId: string; siteId: string; sha256: string; at: Date; files?: number; pages?: number }

/** Inserts the bundle of an export, as stored. */
export const insertArtifact = async (
  db: Database,
  { exportId, siteId, sha256, at, files = 1, pages = 3 }: StoredExport,
): Promise<void> => {
  const sizes = { sizeBytes: 7, storedBytes: 9, contentBytes: 9, files, pages }
  await db.insert(storedBundles).values({ sha256, ending: '.tar.gz', ...sizes, storedAt: at })
  await db.insert(artifacts).values({ exportId, siteId, state: 'stored', sha256, storedAt: at, exportedAt: at })
}

/** Inserts a completed export and a working job of a connection. */
export const addRecords = async (db: Database, connectionId: string, name: string) => {
  const [exportId, at] = [randomUUID(), new Date()]
  const job = { projectId: 'docs', id: `job-${name}` }
  await insertExport(db, { exportId, connectionId, domain: `${name}.example.com`, at, jobId: `export-${name}` })
  await db.insert(agentJobs).values({ connectionId, ...job, status: 'active', followedAt: at })
  return { exportId, job }
}
