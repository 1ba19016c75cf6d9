import { randomUUID } from 'node:crypto'
import { eq, lt, ne, sql } from 'drizzle-orm'
import type { Database } from '#database/database.ts'
import type { Log } from '#log.ts'
import { processes } from './processes.table.ts'

/** How often a process says that it is alive. */
const everyMs = 5_000
/** A process that says nothing for so long is gone. */
const silentSeconds = 15

/** What a process of the service does. */
export type ProcessRole = Pick<typeof processes.$inferInsert, 'host' | 'serves' | 'exports' | 'agents' | 'exporter'>

/** Silent for too long. */
export const isSilent = lt(processes.seenAt, sql`now() - make_interval(secs => ${silentSeconds})`)

/** Registers this process with the others of the service, which share its database, until `close`. */
export const joinProcesses = async (db: Database, role: ProcessRole, log: Log) => {
  const id = randomUUID()
  const say = async () => {
    await db
      .insert(processes)
      .values({ id, ...role })
      .onConflictDoUpdate({ target: processes.id, set: { seenAt: sql`now()` } })
    await db.delete(processes).where(isSilent)
  }
  await say()
  const saying = setInterval(() => {
    say().catch((error: unknown) => log.debug({ err: error }, 'this process could not say that it is alive'))
  }, everyMs).unref()
  return {
    /** The other processes that are alive. */
    listOthers: () => db.select().from(processes).where(ne(processes.id, id)),
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

/** The processes of the service, as one of them sees them. */
export type Processes = Awaited<ReturnType<typeof joinProcesses>>
