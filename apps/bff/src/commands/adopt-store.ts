import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Pool } from 'pg'
import { adoptOrLeave } from '#artifacts/recovery/decide-on-store.ts'
import { openForBackup } from '#backup/database.ts'
import { readConfig } from '#config/config.ts'
import { docketActor } from '#identity/actor.ts'
import { openArtifacts } from '#process/open-artifacts.ts'
import type { Command } from './command.ts'

/** Lets Docket adopt the bundles in its store that the database does not know, or leave them as they are. It may run meanwhile. */
export const adoptStore: Command = async ({ args, env, print, warn }) => {
  const { values } = parseArgs({ args, options: { leave: { type: 'boolean', default: false } } })
  const config = await readConfig(env, warn)
  const { databaseUrl, databaseDirectUrl, dataDir } = config
  await using ending = new AsyncDisposableStack()
  const { needs, close } = await openArtifacts(config)
  ending.defer(() => close())
  const reached = await openForBackup({
    databaseUrl: (databaseDirectUrl ?? databaseUrl)?.() ?? null,
    dataDir: resolve(dataDir),
  })
  ending.defer(reached.close)
  const pool = new Pool({ application_name: 'docket-adopt-store', ...reached.config, max: 1 })
  ending.defer(() => pool.end())
  const store = await needs.storage.readMarker()
  const who = { by: docketActor, at: new Date() }
  const decision = values.leave ? 'leave' : 'adopt'
  const isKnown = store !== null && (await drizzle(pool).transaction((tx) => adoptOrLeave(tx, store, decision, who)))
  if (!isKnown) throw new Error('No Docket has started with this database and this store yet. Start it, then decide.')
  print(
    values.leave
      ? 'Docket leaves bundles that its database does not know as they are.'
      : 'Docket adopts the bundles in its store within ten minutes, or when it starts.',
  )
  return 0
}
