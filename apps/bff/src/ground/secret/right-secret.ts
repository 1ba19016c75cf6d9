import type { ClientBase } from 'pg'
import type { Secrets } from './secrets.ts'
import { createHmac, hkdfSync } from 'node:crypto'

/** Derives 32 bytes for one purpose from the instance secret (HKDF-SHA256), so that no two purposes share a key. */
export const deriveKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `docket ${purpose}`, 32))

/** Identifies a secret without revealing it. The database stores this to refuse a Docket with another one. */
export const computeCheckValue = (secret: string, instanceName: string): string =>
  createHmac('sha256', deriveKey(secret, 'check value')).update(instanceName).digest('hex')

/** The secret of this process differs from that of its database. The message tells the operator the next step. */
export class WrongSecret extends Error {
  override readonly name = 'WrongSecret'
}

/** The instance in the database. `secretCheck` is null before the first start and after `forgetSecret`. */
export type KnownInstance = { name: string; secretCheck: string | null }

/** True when one of the secrets belongs to the database. False while the database knows no secret. */
export const belongsToDatabase = (
  { name, secretCheck }: KnownInstance,
  { current, previous }: Pick<Secrets, 'current' | 'previous'>,
): boolean => [current, previous].some((secret) => secret !== null && computeCheckValue(secret, name) === secretCheck)

/** Throws `WrongSecret` when the database knows its secret and this process lacks it. */
export const refuseWrongSecret = (known: KnownInstance, secrets: Secrets): void => {
  if (known.secretCheck === null || belongsToDatabase(known, secrets)) return
  const { current, from, keep } = secrets
  const wrong =
    current !== null
      ? `The secret in ${from} is not the one of this database.`
      : `The secret of this database is missing: ${from} does not exist, and AUTH_SECRET is not set.`
  throw new WrongSecret(
    `${wrong} Every Docket on one database needs the same: ${keep === null ? '' : `copy docket.secret from the DATA_DIR of a Docket that runs, or `}set the same AUTH_SECRET everywhere, and start again. If it is lost, \`docket rotate-secret --lost\` makes room for a new one.`,
  )
}

/** Reads the instance without the schema of this version. Null where no Docket has started, or only an earlier version. */
export const readKnownInstance = async (client: ClientBase): Promise<KnownInstance | null> => {
  const { rows: columns } = await client.query(
    `select 1 from pg_attribute where attrelid = to_regclass('instance') and attname = 'secret_check'`,
  )
  if (columns.length === 0) return null
  const { rows } = await client.query<KnownInstance>('select name, secret_check as "secretCheck" from instance')
  return rows[0] ?? null
}
