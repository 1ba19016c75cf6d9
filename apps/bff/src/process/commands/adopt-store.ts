import { parseArgs } from 'node:util'
import { drizzle } from 'drizzle-orm/node-postgres'
import { decideOnKnownStore } from '#bundles/shared-store/orphans.ts'
import { openForBackup } from '#process/backup/database.ts'
import { readConfig, toDatabasePlace } from '#ground/config/config.ts'
import { openPool } from '#ground/db/pool.ts'
import { docketActor } from '#ground/identity/identity.ts'
import { openArtifacts } from '#process/start/open-stores.ts'
import type { Command } from './command.ts'

/** Lets Docket adopt the bundles in its store that the database does not know, or leave them as they are. Docket may be running. */
export const adoptStore: Command = async ({ args, env, print, warn }) => {
  const { values } = parseArgs({ args, options: { leave: { type: 'boolean', default: false } } })
  const config = await readConfig(env, warn)
  await using ending = new AsyncDisposableStack()
  const { needs, close } = await openArtifacts(config)
  ending.defer(() => close())
  const reached = await openForBackup(toDatabasePlace(config))
  ending.defer(reached.close)
  const pool = openPool({ application_name: 'docket-adopt-store', ...reached.config, max: 1 }, { warn })
  ending.defer(() => pool.end())
  const store = await needs.storage.readMarker()
  const asked = { decision: values.leave ? 'leave' : 'adopt' } as const
  const isKnown =
    store !== null && (await drizzle(pool).transaction((tx) => decideOnKnownStore(tx, store, asked, docketActor)))
  if (!isKnown) throw new Error('No Docket has started with this database and this store yet. Start it, then decide.')
  print(
    values.leave
      ? 'Docket leaves bundles that its database does not know as they are.'
      : 'Docket adopts the bundles in its store within ten minutes, or when it starts.',
  )
  return 0
}
