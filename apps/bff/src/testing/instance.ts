import { instance } from '#people/accounts/accounts.table.ts'
import { openInstance, type Instance } from '#people/accounts/instance.ts'
import type { Database } from '#ground/db/database.ts'
import type { Secrets } from '#ground/secret/secrets.ts'

/** `AUTH_SECRET` of every Docket in tests that does not name its own. */
export const testSecret = 'signs-and-encrypts-in-tests-0123456789'

/** Secrets in the form that the environment gives them. */
export const deriveSecrets = (current: string, previous: string | null = null): Secrets => ({
  current,
  previous,
  from: 'AUTH_SECRET',
  keep: null,
})

/** The installation of a test database. */
export const testInstance = async (db: Database): Promise<Instance> => {
  const [row] = await db.select().from(instance)
  if (row === undefined || row.secretCheck === null || row.movingSecret !== null)
    return openInstance(db, deriveSecrets(testSecret))
  return { name: row.name, secret: testSecret, previousSecret: null }
}
