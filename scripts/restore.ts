import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { artifactFolder } from '#apps/bff/src/backup/data-files.ts'
import { restoreBackup } from '#apps/bff/src/backup/restore-backup.ts'
import { readConfig } from '#apps/bff/src/config/config.ts'
import { findSecrets } from '#apps/bff/src/secret/secrets.ts'
import { readOpenWith } from './backup/keys.ts'
import { fail, formatContents } from './backup/say.ts'

// `pnpm restore <file>`: puts a backup into the empty Docket of this environment.
const usage = `Use: pnpm restore <file> [--passphrase-file FILE | --identity-file FILE] [--without-secret],
with DATA_DIR or DATABASE_URL of a Docket that holds nothing yet`

const options = {
  'passphrase-file': { type: 'string' },
  'identity-file': { type: 'string' },
  'without-secret': { type: 'boolean', default: false },
} as const

try {
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new Error(usage)
  const from = process.env['INIT_CWD'] ?? '.'
  const config = await readConfig(process.env, (problem) => console.error(problem))
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
  console.log(`Restored what Docket ${manifest.docket} knew at ${manifest.madeAt}: ${formatContents(manifest)}.`)
  if (removedSecondFactors > 0)
    console.log(`Removed second factors: ${removedSecondFactors}. Tell these people to set up their app again.`)
  if (missingBundles > 0)
    console.log(
      `Stored bundles that the backup did not include: ${missingBundles}. Store them again from their exports.`,
    )
  const restored = resolve(config.dataDir, artifactFolder)
  const hasBundles = manifest.files.some(({ path }) => path.startsWith(`${artifactFolder}/`))
  if (hasBundles && resolve(config.artifacts.folder) !== restored)
    console.log(
      `The stored bundles are in ${restored}. Move that folder to ARTIFACT_STORE_DIR before you start Docket.`,
    )
  console.log('Start Docket as usual. Everybody signs in again, and running records are watched from there on.')
} catch (error) {
  fail(error, usage)
}
