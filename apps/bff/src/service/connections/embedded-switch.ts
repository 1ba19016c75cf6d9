import { sql } from 'drizzle-orm'
import type { Config } from '#ground/config/config.ts'
import type { Tx } from '#ground/db/database.ts'
import { schemas } from '#ground/db/schemas.ts'
import { readConnections } from './connection-rows.ts'

const embedded = sql.identifier(schemas.embedded)

const hasRecords = async (tx: Tx, connectionId: string): Promise<boolean> => {
  const { rows } = await tx.execute<{ found: boolean }>(sql`
    select exists (select from static_exports where connection_id = ${connectionId}::uuid)
      or exists (select from agent_jobs where connection_id = ${connectionId}::uuid)
      or exists (select from ${embedded}.static_exports)
      or exists (select from ${embedded}.agent_jobs) as found`)
  return rows[0]!.found
}

/** Known even while the embedded service is off. `readSwitch` returns whether it runs after the next start. */
export type EmbeddedFacts = {
  domains: readonly string[]
  projectIds: readonly string[]
  readSwitch: (tx: Tx) => ReturnType<typeof readEmbeddedSwitch>
}

type Variables = Pick<Config, 'localAdminApi' | 'adminApi'> & { local: Pick<Config['local'], 'sites'> }

/**
 * Decides whether Docket runs its embedded service after the next start, the same way in every process. A saved connection never stops an
 * embedded service that ran before. `ADMIN_API_URL` does, unless the embedded service has records.
 */
export const readEmbeddedSwitch = async ({ localAdminApi, local, adminApi }: Variables, tx: Tx) => {
  const decide = (on: boolean, because: string, isFixed = false) => ({ on, because, isFixed })
  if (localAdminApi !== null) return decide(localAdminApi, `LOCAL_ADMIN_API is ${localAdminApi}`, true)
  if (local.sites !== null) return decide(true, 'LOCAL_SITES is set', true)
  const known = await readConnections(tx)
  const own = known.find(({ kind }) => kind === 'embedded')
  if (own !== undefined && own.switchedOn !== null)
    return decide(own.switchedOn, `an admin switched it ${own.switchedOn ? 'on' : 'off'}`)
  if (adminApi === null && !known.some(({ source, goneAt }) => source === 'settings' && goneAt === null))
    return decide(true, 'no other service is connected')
  const ran = own !== undefined && own.goneAt === null
  if (ran && adminApi === null) return decide(true, 'it ran before other services were added')
  if (ran && (await hasRecords(tx, own.connectionId))) return decide(true, 'it has exports or agent jobs')
  return decide(false, 'Docket uses other services')
}
