import pino from 'pino'
import { openInstance } from '#people/accounts/instance.ts'
import { readConfig, type Config } from '#ground/config/config.ts'
import { closeDataFolder } from '#ground/data-folder.ts'
import { databaseClock, readDatabaseClock } from '#ground/db/database-clock.ts'
import type { Database } from '#ground/db/database.ts'
import { openDatabase } from '#ground/db/open.ts'
import { listFolders, watchDisks } from '#process/disks/watch-disks.ts'
import { createLog, logWarnings, type Log } from '#ground/log/log.ts'
import { readKnownInstance, refuseWrongSecret } from '#ground/secret/right-secret.ts'
import { findSecrets } from '#ground/secret/secrets.ts'

/**
 * Opens what every process of Docket needs: its configuration, which `check` may refuse, its log, the migrated database, the instance, the
 * clock, and the disks. Stopping `running` closes them.
 */
export const openProcess = async (
  env: NodeJS.ProcessEnv,
  running: AsyncDisposableStack,
  check: (config: Config) => void,
) => {
  let log: Log | undefined
  const config = await readConfig(env, (problem) => log?.warn(problem))
  check(config)
  const secrets = new Set<string>()
  log = createLog({ level: config.logLevel, destination: pino.destination({ dest: 2, sync: true }), secrets })
  logWarnings(log)

  const instanceSecrets = await findSecrets(config)
  const open = await closeDataFolder(config.dataDir)
  if (open !== null) log.warn(open)
  const { db, probes, kind, close } = await openDatabase({
    databaseUrl: config.databaseUrl?.(),
    directUrl: config.databaseDirectUrl?.(),
    dataDir: config.dataDir,
    log,
    beforeMigration: async (client) => {
      const known = await readKnownInstance(client)
      if (known !== null) refuseWrongSecret(known, instanceSecrets)
    },
  })
  running.defer(close)
  const instance = await openInstance(db, instanceSecrets, (problem) => log.warn(problem))
  for (const secret of [instance.secret, instance.previousSecret]) if (secret !== null) secrets.add(secret)
  // An embedded database uses the clock of this machine.
  const clock = databaseClock({ read: () => readDatabaseClock(probes), log })
  if (kind === 'external') {
    await clock.compare()
    running.defer(clock.keep())
  }
  const disks = watchDisks({ folders: listFolders(config), log, now: clock.now })
  running.defer(disks.stop)
  await disks.start()
  return { config, log, secrets, db, probes, kind, instance, clock, disks }
}

export const countConnections = ({ $client }: Database) => ({
  total: $client.totalCount,
  idle: $client.idleCount,
  waiting: $client.waitingCount,
})
