import type { DecideOnStore } from '@docket/api-types/storage'
import { eq } from 'drizzle-orm'
import { reasonSentences, type StoreView } from '#bundles/artifacts/artifacts.state.ts'
import { stores } from '#bundles/artifacts/artifacts.table.ts'
import { recordAudit } from '#ground/audit/audit.ts'
import type { Database, Tx } from '#ground/db/database.ts'
import { AppError } from '#ground/errors/app-error.ts'
import type { Actor } from '#ground/identity/actor.ts'
import { condemn, listOrphans } from './orphans.ts'

const states = { adopt: 'adopting', leave: 'left' } as const
const actions = { adopt: 'store.adopted', leave: 'store.left', remove: 'store.orphans_removed' } as const

/**
 * Does with bundles in a store that this database does not know what an admin decides. Idempotent. False without such a store. Throws
 * `conflict` when the orphans to remove are not those that the admin saw.
 */
export const decideOnStore = async (tx: Tx, store: string, asked: DecideOnStore, by: Actor): Promise<boolean> => {
  const [known] = await tx.select().from(stores).where(eq(stores.store, store)).for('update')
  if (known === undefined) return false
  let details = {}
  if (asked.decision === 'remove') {
    const { orphans, bundles, bytes } = await listOrphans(tx, store)
    // A second click.
    if (bundles === 0) return true
    if (bundles !== asked.bundles || bytes !== asked.bytes)
      throw new AppError('conflict', 'The orphans have changed since you looked. Look at them again, then decide.')
    await condemn(tx, orphans)
    details = { bundles, bytes }
  } else {
    const state = states[asked.decision]
    if (known.state === state) return true
    await tx.update(stores).set({ state }).where(eq(stores.store, store))
  }
  const target = { type: 'store', id: store, name: null }
  await recordAudit(tx, by, { action: actions[asked.decision], at: new Date(), target, details })
  return true
}

/** Does what an admin decides about the store of this process. */
export const storeDecider =
  (deps: { db: Database; view: () => Promise<StoreView>; requestAdoption: () => Promise<void> }) =>
  async (asked: DecideOnStore, by: Actor): Promise<void> => {
    const { name, problem } = await deps.view()
    if (problem === 'not_shared') throw new AppError('conflict', reasonSentences[problem])
    if (name === null) throw new AppError('busy', 'The store of bundles does not answer. Try again.')
    await deps.db.transaction((tx) => decideOnStore(tx, name, asked, by))
    if (asked.decision === 'adopt') await deps.requestAdoption()
  }
