import type { Client } from 'pg'
import { nameHere } from '#ground/db/schemas.ts'
import { leftOutTables } from './make-backup.ts'
import { embeddedMigrationsTable, listAppliedMigrations } from '#ground/db/migrate.ts'
import { embeddedPrefix, listTables, qualifyName } from './catalog.ts'
import { type AppliedMigration, type Manifest, BackupRefused } from './manifest.ts'

/** Tables that Docket fills by itself before first use. Rows of other tables come from people. */
const ownBookkeeping: ReadonlySet<string> = new Set([
  ...leftOutTables,
  'call_answers',
  'connection_keys',
  'call_budgets',
  'pull_request_reads',
  'call_gates',
  'call_minutes',
  'connection_states',
  'instance',
  'list_revisions',
  'one_time_links',
  'stores',
  `${embeddedPrefix}service`,
])

/** Conditions for rows that people wrote, in tables where Docket also writes rows itself. */
const writtenByPeople: Readonly<Record<string, string>> = {
  connections: `where source = 'settings'`,
  stored_bundles: "where state <> 'found'",
  code_hosts: 'where sealed_token is not null',
}

export const refuseWhileInUse = async (client: Client): Promise<void> => {
  const { rows: others } = await client.query(
    `select 1 from pg_stat_activity where datname = current_database() and application_name = any($1) limit 1`,
    [['docket', 'docket-probe'].map(nameHere)],
  )
  if (others.length > 0)
    throw new BackupRefused(
      'A Docket is connected to this database. Stop every Docket that uses it and try again. Nothing was changed.',
    )
}

const hasNewerMigrations = (applied: readonly AppliedMigration[], saved: readonly AppliedMigration[]) =>
  applied.length > saved.length || applied.some(({ hash }, index) => saved[index]?.hash !== hash)

/** Refuses a database that is in use, has rows from people, or has newer tables than the backup. The message contains the remedy. */
export const refuseUnlessFresh = async (
  client: Client,
  { migrations, embeddedMigrations }: Manifest,
): Promise<void> => {
  await refuseWhileInUse(client)
  const applied = await listAppliedMigrations(client)
  if (applied.length === 0) return
  for (const { name } of await listTables(client)) {
    if (ownBookkeeping.has(name)) continue
    const byPeople = writtenByPeople[name] ?? ''
    const { rows } = await client.query(`select 1 from ${qualifyName(name)} ${byPeople} limit 1`)
    if (rows.length > 0)
      throw new BackupRefused(
        `This Docket is in use already: ${name} has rows. A restore overwrites nothing: name a DATA_DIR that does not exist, or an empty database in DATABASE_URL. Nothing was changed.`,
      )
  }
  if (
    hasNewerMigrations(applied, migrations) ||
    hasNewerMigrations(await listAppliedMigrations(client, embeddedMigrationsTable), embeddedMigrations)
  )
    throw new BackupRefused(
      'This database has newer tables than the backup. Restore into a DATA_DIR that does not exist, or into an empty database; its tables are then brought to this version. Nothing was changed.',
    )
}
