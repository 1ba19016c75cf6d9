import { randomUUID } from 'node:crypto'
import { and, eq, isNotNull, lt, ne, sql } from 'drizzle-orm'
import type { Database } from '#database/database.ts'
import type { Log } from '#log.ts'
import { processes } from './processes.table.ts'

/** How often a process says that it is alive. */
const everyMs = 5_000
/** A process that says nothing for so long is gone. */
const silentSeconds = 15

export type ProcessRole = Pick<
  typeof processes.$inferInsert,
  'host' | 'serves' | 'exports' | 'agents' | 'exporter' | 'store'
>

export const isSilent = lt(processes.seenAt, sql`now() - make_interval(secs => ${silentSeconds})`)

/** Registers this process with the others of the service, which share its database, until `close`. */
export const joinProcesses = async (db: Database, role: ProcessRole, log: Log) => {
  const id = randomUUID()
  let codeHost: string | null = null
  const say = async () => {
    await db
      .insert(processes)
      .values({ id, ...role, codeHost })
      .onConflictDoUpdate({ target: processes.id, set: { seenAt: sql`now()` } })
    await db.delete(processes).where(isSilent)
  }
  await say()
  const saying = setInterval(() => {
    say().catch((error: unknown) => log.debug({ err: error }, 'this process could not say that it is alive'))
  }, everyMs).unref()
  return {
    listOthers: () => db.select().from(processes).where(ne(processes.id, id)),
    /**
     * Says that this process has an embedded code host. Null: it is the only one. Else changes nothing, and resolves to a process with
     * another one.
     */
    claimCodeHost: (marker: string): Promise<{ host: string } | null> =>
      db.transaction(async (tx) => {
        // Of processes that start at the same moment, one is first.
        await tx.execute(sql`lock table ${processes} in share row exclusive mode`)
        const isOther = and(ne(processes.id, id), isNotNull(processes.codeHost), ne(processes.codeHost, marker))
        const [other] = await tx.select({ host: processes.host }).from(processes).where(isOther)
        if (other) return other
        await tx.update(processes).set({ codeHost: marker }).where(eq(processes.id, id))
        codeHost = marker
        return null
      }),
    /** Before the connections to the database close. */
    close: async () => {
      clearInterval(saying)
      await db.delete(processes).where(eq(processes.id, id))
    },
  }
}

/** Removes the processes of a database that only this one can use: a crash left them. */
export const forgetProcesses = async (db: Database): Promise<void> => {
  await db.delete(processes)
}

export type Processes = Awaited<ReturnType<typeof joinProcesses>>
