import type { Role } from '@docket/api-types/session'
import { drizzle } from 'drizzle-orm/node-postgres'
import { openPool } from '#ground/db/pool.ts'
import { signedIn } from '#testing/people.ts'

/**
 * Like `signedIn`, but for the migrated database at an address, for tests of a whole Docket on it. Call `close` at the
 * end.
 */
export const peopleAt = (databaseUrl: string) => {
  const pool = openPool({ connectionString: databaseUrl, max: 2 }, { warn: () => {} })
  const db = drizzle(pool)
  return {
    /** The cookie of a new person's session. */
    cookieOf: async (role: Role): Promise<string> => (await signedIn(db, role)).cookie,
    /** The first column of a query's rows. */
    column: async (query: string): Promise<unknown[]> =>
      (await pool.query<unknown[]>({ text: query, rowMode: 'array' })).rows.map(([first]) => first),
    close: () => pool.end(),
  }
}
