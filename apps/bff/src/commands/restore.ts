import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { artifactFolder } from '#backup/data-files.ts'
import { restoreBackup } from '#backup/restore-backup.ts'
import { readConfig } from '#config/config.ts'
import { findSecrets } from '#secret/secrets.ts'
import { readOpenWith } from './backup-keys.ts'
import type { Command } from './command.ts'
import { formatContents } from './say.ts'

const options = {
  'passphrase-file': { type: 'string' },
  'identity-file': { type: 'string' },
  'without-secret': { type: 'boolean', default: false },
} as const

/** Puts a backup into the empty Docket of this environment. */
export const restore: Command = async ({ args, env, from, usage, print, warn }) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new Error(usage)
  const config = await readConfig(env, warn)
  const place = {
    databaseUrl: (config.databaseDirectUrl ?? config.databaseUrl)?.() ?? null,
    dataDir: resolve(config.dataDir),
  }
  const { manifest, removedSecondFactors, missingBundles } = await restoreBackup({
    place,
    file: resolve(from, file),
    openWith: await readOpenWith(values, from),
    secrets: await findSecrets(config),
    withoutSecret: values['without-secret'],
    artifactsElsewhere: config.artifacts.s3 !== null,
  })
  print(`Restored what Docket ${manifest.docket} knew at ${manifest.madeAt}: ${formatContents(manifest)}.`)
  if (removedSecondFactors > 0)
    print(`Removed second factors: ${removedSecondFactors}. Tell these people to set up their app again.`)
  if (missingBundles > 0)
    print(`Stored bundles that the backup did not include: ${missingBundles}. Store them again from their exports.`)
  const restored = resolve(config.dataDir, artifactFolder)
  const hasBundles = manifest.files.some(({ path }) => path.startsWith(`${artifactFolder}/`))
  if (hasBundles && resolve(config.artifacts.folder) !== restored)
    print(`The stored bundles are in ${restored}. Move that folder to ARTIFACT_STORE_DIR before you start Docket.`)
  print('Start Docket as usual. Everybody signs in again, and running records are watched from there on.')
  return 0
}
