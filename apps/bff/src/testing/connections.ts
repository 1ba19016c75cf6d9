import { randomUUID } from 'node:crypto'
import { connections } from '#connections/connections.table.ts'
import { agentJobs } from '#agent-jobs/agent-jobs.table.ts'
import type { Database } from '#db/database.ts'
import { staticExports } from '#static-exports/static-exports.table.ts'

/** Writes a connection to a service, without the service. */
export const addConnection = async (db: Database, name: string): Promise<string> => {
  const service = { kind: 'service', source: 'settings', baseUrl: `https://${randomUUID()}.example` } as const
  const limits = { deploymentKind: 'cloud', callsPerHour: 0, timeoutMs: 30_000, agentJobCreation: true } as const
  const [row] = await db
    .insert(connections)
    .values({ name, ...service, ...limits })
    .returning()
  return row!.connectionId
}

/** Writes a completed export and a working job of a connection. */
export const addRecords = async (db: Database, connectionId: string, name: string) => {
  const [exportId, at] = [randomUUID(), new Date()]
  const job = { projectId: 'docs', id: `job-${name}` }
  await db.insert(staticExports).values({
    exportId,
    connectionId,
    domain: `${name}.example.com`,
    state: 'completed',
    startedAt: at,
    finishedAt: at,
    jobId: `export-${name}`,
  })
  await db.insert(agentJobs).values({ connectionId, ...job, status: 'active', followedAt: at })
  return { exportId, job }
}
