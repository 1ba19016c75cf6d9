import { randomBytes } from 'node:crypto'
import { type Database, takeTurn } from '#ground/db/database.ts'
import { computeCheckValue, refuseWrongSecret, WrongSecret } from '#ground/secret/right-secret.ts'
import type { Secrets } from '#ground/secret/secrets.ts'
import { instance } from './accounts.table.ts'
import { reencryptSecondFactors } from '#people/accounts/second-factor/reencrypt.ts'
import { reencryptSealedKeys } from '#ground/secret/sealed-keys.ts'
import { hashClearTokens } from './sessions.ts'

/** Identity of this installation, the same for every replica on its database. */
export type Instance = {
  /** Part of the cookie's name. */
  name: string
  /** Signs cookies and encrypts second factors. */
  secret: string
  /** The previous secret, which still verifies cookies and decrypts second factors. Null outside of a rotation. */
  previousSecret: string | null
}

/** Keeps its secrets private, so that nothing that prints or serialises its holder shows them. */
class OpenedInstance implements Instance {
  readonly name: string
  readonly #secret: string
  readonly #previousSecret: string | null

  constructor(name: string, secret: string, previousSecret: string | null) {
    this.name = name
    this.#secret = secret
    this.#previousSecret = previousSecret
  }

  get secret(): string {
    return this.#secret
  }

  get previousSecret(): string | null {
    return this.#previousSecret
  }
}

type Row = typeof instance.$inferSelect

const chooseSecret = async (row: Row, secrets: Secrets): Promise<string> => {
  refuseWrongSecret(row, secrets)
  const { current, keep, from } = secrets
  const { movingSecret } = row
  if (keep !== null && current !== null && movingSecret !== null && movingSecret !== current)
    throw new WrongSecret(
      `${from} holds the secret of another Docket than this database. Move that file away, or name another DATA_DIR, and start again.`,
    )
  if (current !== null) return current
  const secret = movingSecret ?? randomBytes(32).toString('base64url')
  // The file must be on the disk before the database loses the secret.
  await keep?.(secret)
  return secret
}

/**
 * Opens the installation with the secret of this process, or creates the first secret. Of concurrent starts, only one sets it. Moves a
 * secret of an earlier version out of the database and re-encrypts second factors after a rotation. Throws `WrongSecret` before any change.
 */
export const openInstance = (
  db: Database,
  secrets: Secrets,
  warn: (message: string) => void = () => {},
): Promise<Instance> =>
  db.transaction(async (tx) => {
    await takeTurn(tx, 'docket instance secret')
    const fresh = { id: 1, name: randomBytes(4).toString('hex') }
    await tx.insert(instance).values(fresh).onConflictDoNothing()
    const [row] = await tx.select().from(instance)
    const { name, movingSecret, secretCheck } = row!
    const opened = new OpenedInstance(name, await chooseSecret(row!, secrets), secrets.previous)
    const known = computeCheckValue(opened.secret, name)
    if (secretCheck !== known || movingSecret !== null)
      await tx.update(instance).set({ secretCheck: known, movingSecret: null })
    const retired = [secrets.previous, movingSecret].filter((one) => one !== null && one !== opened.secret)
    if (retired.length > 0) {
      const unreadable = await reencryptSecondFactors(tx, opened, retired as string[])
      await reencryptSealedKeys(tx, opened, retired as string[])
      if (unreadable > 0)
        warn(
          `Another secret encrypted some second factors (${unreadable}), so their codes do not work. Set that secret as AUTH_SECRET_PREVIOUS and start again.`,
        )
    }
    await hashClearTokens(tx)
    return opened
  })
