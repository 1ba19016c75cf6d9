import { drizzle } from 'drizzle-orm/node-postgres'
import type { Client } from 'pg'
import { recordAudit } from '#audit/audit.ts'
import { docketActor } from '#identity/actor.ts'

/**
 * Makes a database accept a new secret at the next start. Removes the second factors that the lost one encrypted, audits that
 * for each person, and returns how many. Call it inside a transaction.
 */
export const forgetSecret = async (client: Client): Promise<number> => {
  const { rows } = await client.query<{ id: string; name: string }>(
    `with gone as (delete from public.two_factors returning user_id)
     update public.users set two_factor_enabled = false where two_factor_enabled returning id, name`,
  )
  await client.query('update public.instance set secret_check = null')
  for (const { id, name } of rows)
    await recordAudit(drizzle(client) as unknown as Parameters<typeof recordAudit>[0], docketActor, {
      action: 'user.second_factor_removed',
      at: new Date(),
      target: { type: 'user', id, name },
      details: { because: 'the instance secret is lost' },
    })
  return rows.length
}
