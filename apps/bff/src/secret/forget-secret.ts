import { drizzle } from 'drizzle-orm/node-postgres'
import type { Client } from 'pg'
import { recordAudit } from '#audit/audit.ts'
import { docketActor } from '#identity/actor.ts'
import { randomBytes } from 'node:crypto'
import { writePrivateFile } from '#data-folder/private-file.ts'
import { belongs, type KnownInstance, WrongSecret } from './right-secret.ts'
import { previousSecretFile, secretFile, secretsInFolder } from './secrets.ts'

/**
 * Writes a new secret into the data folder and keeps the current one beside it, for the next start. Returns the file of the previous one.
 * Throws `WrongSecret` when that would lose the secret that the database needs, or sessions that still need an older one.
 */
export const rotateSecretFile = async (dataDir: string, known: KnownInstance | null): Promise<string> => {
  const [file, previousFile] = [secretFile(dataDir), previousSecretFile(dataDir)]
  const { current, previous } = await secretsInFolder(dataDir)
  if (current === null || known === null || !belongs(known, { current, previous: null }))
    throw new WrongSecret(
      `The database does not know the secret in ${file}. Start Docket with it once, and then rotate. Nothing was changed.`,
    )
  if (previous !== null)
    throw new WrongSecret(
      `${previousFile} is still there from the last rotation. Delete it first: sessions older than that rotation then end. Nothing was changed.`,
    )
  // A crash in between leaves the current secret twice.
  await writePrivateFile(previousFile, current)
  await writePrivateFile(file, randomBytes(32).toString('base64url'))
  return previousFile
}

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
