import type { ProgressScale, StatusMeaning } from '@docket/api-types/connections'
import { eq, sql } from 'drizzle-orm'
import type { Database, Tx } from '#ground/db/database.ts'
import { connections } from '#ground/db/connections.table.ts'
import type { AdminApi, StaticExportSnapshot } from '#service/admin-api/admin-api.ts'
import type { ConnectionRow } from './connection-rows.ts'

export const toWord = (status: string): string => status.trim().toLowerCase()

/** Words that describe work in progress. The Admin API lists no states of an export but its two ends (§3.2). */
const work = /ing(?![a-z])|^(?:active|queued|accepted|created|new|scheduled|submitted|started|in[ _-]?progress)$/

/** True for a status of an export that may be an end in the service's own words. */
export const isUnknownExportStatus = (status: string | null): boolean =>
  status !== null && !['completed', 'failed'].includes(toWord(status)) && !work.test(toWord(status))

const isUnknownJobStatus = (status: string | null): boolean =>
  status !== null && !['active', 'completed', 'archived', 'failed'].includes(status)

export const rememberStatusMeaning = async (
  tx: Tx,
  connectionId: string,
  { status, as }: { status: string; as: StatusMeaning },
): Promise<void> => {
  await tx
    .update(connections)
    .set({ statusMeanings: sql`${connections.statusMeanings} || ${JSON.stringify({ [toWord(status)]: as })}::jsonb` })
    .where(eq(connections.connectionId, connectionId))
}

type Progress = StaticExportSnapshot['progress']

/** A chosen fraction is never above 1. */
const rescale = (progress: Progress, chosen: ProgressScale | null): Progress => {
  if (chosen === null || progress?.scale === 'fraction') return progress
  if (progress?.scale === 'ambiguous') return { ...progress, scale: chosen }
  return chosen === 'fraction' ? null : progress
}

/** Translates what a service says when it is read, as people explained it: its own words, and the scale of progress. */
export const understandAnswers = (
  adminApi: AdminApi,
  {
    db,
    row: { connectionId, progressScale },
  }: { db: Database; row: Pick<ConnectionRow, 'connectionId' | 'progressScale'> },
): AdminApi => {
  const translate = async <T extends { status: string | null; error: string | null }>(told: T, running: string) => {
    const { statusMeanings } = connections
    const [row] = await db
      .select({ statusMeanings })
      .from(connections)
      .where(eq(connections.connectionId, connectionId))
    const meaning = new Map(Object.entries(row?.statusMeanings ?? {})).get(toWord(told.status!))
    if (meaning === undefined) return told
    if (meaning !== 'ended') return { ...told, status: meaning === 'running' ? running : meaning }
    return { ...told, status: 'failed', error: told.error ?? `The service ended it with the status “${told.status}”.` }
  }
  return {
    ...adminApi,
    getAgentJob: async (key) => {
      const told = await adminApi.getAgentJob(key)
      return isUnknownJobStatus(told.status) ? translate(told, 'active') : told
    },
    getStaticExport: async (jobId) => {
      const sent = await adminApi.getStaticExport(jobId)
      const told = { ...sent, progress: rescale(sent.progress, progressScale) }
      return isUnknownExportStatus(told.status) ? translate(told, 'running') : told
    },
  }
}
