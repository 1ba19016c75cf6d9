import type { ConnectionCodeHost } from '@docket/api-types/connection-code-hosts'
import { asc, eq } from 'drizzle-orm'
import type { Tx } from '#ground/db/database.ts'
import { codeHosts } from './code-hosts.table.ts'

export type CodeHostRow = typeof codeHosts.$inferSelect

/** Omits the token. */
export const toConnectionCodeHost = (row: CodeHostRow, now: number): ConnectionCodeHost => ({
  codeHostId: row.codeHostId,
  kind: row.kind,
  url: row.url,
  from: row.sealedToken === null ? 'environment' : 'stored',
  answeredAt: row.answeredAt?.toISOString() ?? null,
  problem: row.problem,
  pausedUntil: row.pausedUntil !== null && row.pausedUntil.getTime() > now ? row.pausedUntil.toISOString() : null,
  addedBy: row.addedBy,
  addedAt: row.addedAt.toISOString(),
})

export const readCodeHosts = async (tx: Tx, connectionId: string): Promise<CodeHostRow[]> =>
  tx.select().from(codeHosts).where(eq(codeHosts.connectionId, connectionId)).orderBy(asc(codeHosts.url))
