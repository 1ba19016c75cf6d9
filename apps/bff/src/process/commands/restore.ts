import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { restoreBackup } from '#process/backup/restore-backup.ts'
import { describeStoreLocation } from '#ground/config/stores.ts'
import { readConfig, toDatabasePlace } from '#ground/config/config.ts'
import { openArtifacts } from '#process/start/open-stores.ts'
import { findSecrets } from '#ground/secret/secrets.ts'
import { readOpenWith } from './backup-keys.ts'
import type { Command } from './command.ts'
import { aboutSealed } from './rotate-secret.ts'
import { formatContents } from './say.ts'

const options = {
  'passphrase-file': { type: 'string' },
  'identity-file': { type: 'string' },
  'without-secret': { type: 'boolean', default: false },
  'without-store': { type: 'boolean', default: false },
} as const

export const restore: Command = async ({ args, env, from, usage, print, warn }) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new Error(usage)
  const config = await readConfig(env, warn)
  const { needs, close } = await openArtifacts(config)
  const { manifest, removedSecondFactors, storedBundles, missingBundles, replaced, isSecretLost } = await restoreBackup(
    {
      place: toDatabasePlace(config),
      file: resolve(from, file),
      openWith: await readOpenWith(values, from),
      secrets: await findSecrets(config),
      withoutSecret: values['without-secret'],
      store: {
        storage: needs.storage,
        settings: describeStoreLocation(config.artifacts.store, config.dataDir),
        withoutStore: values['without-store'],
      },
    },
  ).finally(close)
  print(`Restored what Docket ${manifest.docket} knew at ${manifest.madeAt}: ${formatContents(manifest)}.`)
  if (removedSecondFactors > 0)
    print(`Removed second factors: ${removedSecondFactors}. Tell these people to set up their app again.`)
  if (isSecretLost) print(`The instance secret is another one than that of the backup. ${aboutSealed}`)
  if (storedBundles + missingBundles > 0)
    print(`Exports whose bundle is in the store: ${storedBundles}. Exports whose bundle is missing: ${missingBundles}.`)
  if (missingBundles > 0)
    print('Docket takes missing bundles back as soon as its store has them. Or store them again from their exports.')
  if (replaced.length > 0)
    print(`Kept what was in DATA_DIR as ${replaced.join(', ')}. Delete it when you no longer need it.`)
  print('Start Docket as usual. Everybody signs in again, and running records are watched from there on.')
  return 0
}
