import { randomBytes } from 'node:crypto'
import type { Database } from '#db/database.ts'
import { instance } from './accounts.table.ts'

/** What tells this installation from others, the same for every replica on its database. */
export type Instance = {
  /** Part of the cookie's name. */
  name: string
  /** Signs session cookies and encrypts second factors. */
  secret: string
}

/** Reads the installation's row, and writes it the first time: of several replicas at once, one does. */
export const openInstance = async (db: Database): Promise<Instance> => {
  const fresh = { id: 1, name: randomBytes(4).toString('hex'), secret: randomBytes(32).toString('base64url') }
  await db.insert(instance).values(fresh).onConflictDoNothing()
  const [row] = await db.select().from(instance)
  return row!
}
