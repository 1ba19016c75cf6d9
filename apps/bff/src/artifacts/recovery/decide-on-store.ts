import type { DecideOnStore } from '@docket/api-types/storage'
import { eq } from 'drizzle-orm'
import { reasonSentences, type StoreView } from '#artifacts/artifacts.state.ts'
import { stores } from '#artifacts/artifacts.table.ts'
import { recordAudit } from '#audit/audit.ts'
import type { Database, Tx } from '#db/database.ts'
import { AppError } from '#errors/app-error.ts'
import type { Actor } from '#identity/actor.ts'
import { condemn, listOrphans } from './orphans.ts'

type Who = { by: Actor; at: Date }

const states = { adopt: 'adopting', leave: 'left' } as const
const actions = { adopt: 'store.adopted', leave: 'store.left', remove: 'store.orphans_removed' } as const

const audit = (tx: Tx, store: string, decision: keyof typeof actions, who: Who, details: Record<string, number> = {}) =>
  recordAudit(tx, who.by, {
    action: actions[decision],
    at: who.at,
    target: { type: 'store', id: store, name: null },
    details,
  })

/** Lets Docket adopt the bundles in a store that this database does not know, or leave them as they are. Idempotent. False without such a store. */
export const adoptOrLeave = async (
  tx: Tx,
  store: string,
  decision: keyof typeof states,
  who: Who,
): Promise<boolean> => {
  const [known] = await tx.select().from(stores).where(eq(stores.store, store)).for('update')
  if (known === undefined) return false
  const state = states[decision]
  if (known.state === state) return true
  await tx.update(stores).set({ state }).where(eq(stores.store, store))
  await audit(tx, store, decision, who)
  return true
}

/** What admins decide about bundles in the store that this database does not know. */
export const storeDecisions = (deps: {
  db: Database
  view: () => Promise<StoreView>
  requestAdoption: () => Promise<void>
  now: () => number
}) => ({
  /** Throws `conflict` when the orphans to remove are not those that the admin saw. */
  decide: async (asked: DecideOnStore, by: Actor): Promise<void> => {
    const { name, problem } = await deps.view()
    if (problem === 'not_shared') throw new AppError('conflict', reasonSentences[problem])
    if (name === null) throw new AppError('busy', 'The store of bundles does not answer. Try again.')
    const who = { by, at: new Date(deps.now()) }
    await deps.db.transaction(async (tx) => {
      if (asked.decision !== 'remove') return void (await adoptOrLeave(tx, name, asked.decision, who))
      const { orphans, bundles, bytes } = await listOrphans(tx, name)
      // A second click.
      if (bundles === 0) return
      if (bundles !== asked.bundles || bytes !== asked.bytes)
        throw new AppError('conflict', 'The orphans have changed since you looked. Look at them again, then decide.')
      await condemn(tx, orphans)
      await audit(tx, name, 'remove', who, { bundles, bytes })
    })
    if (asked.decision === 'adopt') await deps.requestAdoption()
  },
})
