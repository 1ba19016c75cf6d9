import { randomBytes } from 'node:crypto'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { Client } from 'pg'
import { recordAudit } from '#ground/audit/audit.ts'
import { schemas } from '#ground/db/schemas.ts'
import { docketActor } from '#ground/identity/identity.ts'
import { writePrivateFile } from '#ground/data-folder.ts'
import { belongsToDatabase, type KnownInstance, WrongSecret } from './right-secret.ts'
import { locatePreviousSecretFile, locateSecretFile, readSecretsInFolder } from './secrets.ts'

/**
 * Writes a new secret and keeps the current one in a second file, for the next start. Returns the previous file. Throws `WrongSecret` when
 * the database or old sessions would lose a secret they need.
 */
export const rotateSecretFile = async (dataDir: string, known: KnownInstance | null): Promise<string> => {
  const [file, previousFile] = [locateSecretFile(dataDir), locatePreviousSecretFile(dataDir)]
  const { current, previous } = await readSecretsInFolder(dataDir)
  if (current === null || known === null || !belongsToDatabase(known, { current, previous: null }))
    throw new WrongSecret(
      `The database does not know the secret in ${file}. Start Docket with it once, and then rotate. Nothing was changed.`,
    )
  if (previous !== null)
    throw new WrongSecret(
      `${previousFile} is still there from the last rotation. Delete it first: sessions older than that rotation then end. Nothing was changed.`,
    )
  // A crash between the two writes leaves the current secret in both files.
  await writePrivateFile(previousFile, current)
  await writePrivateFile(file, randomBytes(32).toString('base64url'))
  return previousFile
}

/**
 * Makes a database accept a new secret. Keeps keys and tokens that the old secret encrypted, in case it is restored. Removes and audits
 * second factors that the old one encrypted; returns how many. Needs a transaction.
 */
export const forgetSecret = async (client: Client): Promise<number> => {
  const { rows } = await client.query<{ id: string; name: string }>(
    `with gone as (delete from two_factors returning user_id)
     update users set two_factor_enabled = false where two_factor_enabled returning id, name`,
  )
  // The key is also in DATA_DIR, so the embedded service sets it again. A database of an earlier version has no such table.
  const { rows: tables } = await client.query('select to_regclass($1) as service', [`${schemas.embedded}.service`])
  if (tables[0].service !== null) await client.query(`update ${schemas.embedded}.service set sealed_key = null`)
  await client.query('update instance set secret_check = null')
  for (const { id, name } of rows)
    await recordAudit(drizzle(client) as unknown as Parameters<typeof recordAudit>[0], docketActor, {
      action: 'user.second_factor_removed',
      at: new Date(),
      target: { type: 'user', id, name },
      details: { because: 'the instance secret is lost' },
    })
  return rows.length
}
