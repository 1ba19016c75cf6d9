import { sql } from 'drizzle-orm'
import type { Database } from '#ground/db/database.ts'
import type { EmbeddedFacts } from './embedded-switch.ts'
import type { ConnectionRow, KnownConnection } from './connection-rows.ts'

/** A domain to export, or a project for a new agent job. */
export type Subject = { domain: string } | { projectId: string }

/**
 * Finds the connections that a domain or project belongs to: those of its newest records, of its sites or names, and this machine's. None
 * while nobody used it.
 */
export const findHomes = async (db: Database, subject: Subject, own: EmbeddedFacts) => {
  // Names tables of areas above, because a record of any kind binds the name to its connection.
  const { rows } = await db.execute<{ id: string }>(
    'domain' in subject
      ? sql`select connection_id as id from (
          select connection_id from static_exports where domain = ${subject.domain} and removed_at is null
            and state <> 'refused' order by started_at desc nulls first limit 1000) as newest
          union select connection_id from sites where domain = ${subject.domain}`
      : sql`select connection_id as id from (
          select connection_id from agent_jobs where project_id = ${subject.projectId} and removed_at is null
            order by followed_at desc nulls first limit 1000) as newest
          union select connection_id from projects where project_id = ${subject.projectId}`,
  )
  const isOwn = 'domain' in subject ? own.domains.includes(subject.domain) : own.projectIds.includes(subject.projectId)
  return ({ kind, connectionId }: ConnectionRow): boolean =>
    (isOwn && kind === 'embedded') || (kind !== 'unassigned' && rows.some(({ id }) => id === connectionId))
}

/** Says why nothing starts when the only connections a subject belongs to cannot be used. */
export const explainHome = (subject: Subject, { row, reason }: KnownConnection): string =>
  `${'domain' in subject ? subject.domain : subject.projectId} belongs to ${row.name}. ${reason ?? 'You can only view it.'} To start it elsewhere, choose a connection.`
