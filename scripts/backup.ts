import { rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { makeBackup } from '#apps/bff/src/backup/make-backup.ts'
import { removeStaging } from '#apps/bff/src/backup/data-files.ts'
import { readConfig } from '#apps/bff/src/config/config.ts'
import { secretName } from '#apps/bff/src/secret/secrets.ts'
import { readEncryptTo } from './backup/keys.ts'
import { fail, formatContents, versionOfDocket } from './backup/say.ts'

// `pnpm backup [file]`: everything that the Docket of this environment knows, in one file.
const usage = `Use: pnpm backup [file] [--artifacts] [--passphrase-file FILE | --recipient age1… | --recipients-file FILE]
--artifacts includes the stored bundles of a folder. --recipient may be repeated. A passphrase is read from a file only, so that no list of processes shows it.`

const options = {
  artifacts: { type: 'boolean', default: false },
  'passphrase-file': { type: 'string' },
  recipient: { type: 'string', multiple: true },
  'recipients-file': { type: 'string' },
} as const

/** Says what a restore needs beside the file. */
const aboutSecret = (carried: boolean, secretInFile: boolean, encrypted: boolean): string => {
  if (carried) return 'The instance secret is in it.'
  if (!secretInFile)
    return 'AUTH_SECRET is not in it: keep it elsewhere. Without it, second factors must be set up again.'
  const how = encrypted
    ? 'There was none in DATA_DIR yet.'
    : 'Encrypt the backup, or keep DATA_DIR/docket.secret elsewhere.'
  return `The instance secret is not in it. Without it, second factors must be set up again after a restore. ${how}`
}

const aboutArtifacts = (included: boolean, inS3: boolean): string => {
  if (inS3) return 'Stored bundles are in the object store: back up its bucket, too.'
  return included
    ? 'The stored bundles are in it.'
    : 'The stored bundles are not in it: include them with --artifacts, or a restore marks them as not stored.'
}

try {
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  if (positionals.length > 1) throw new Error(usage)
  const from = process.env['INIT_CWD'] ?? '.'
  const encryptTo = await readEncryptTo(values, from)
  const { databaseUrl, databaseDirectUrl, dataDir, authSecret, artifacts } = await readConfig(process.env, (problem) =>
    console.error(problem),
  )
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  // Relative to where the person is, not to where pnpm runs scripts.
  const file = resolve(from, positionals[0] ?? `docket-backup-${stamp}.tar${encryptTo === null ? '' : '.age'}`)
  const place = { databaseUrl: (databaseDirectUrl ?? databaseUrl)?.() ?? null, dataDir: resolve(dataDir) }
  const secretInFile = authSecret === null
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    process.once(signal, () => {
      removeStaging(place.dataDir)
      rmSync(`${file}.unfinished`, { force: true })
      process.exit(code)
    })
  const included = values.artifacts && artifacts.s3 === null ? artifacts.folder : null
  const docket = await versionOfDocket()
  const manifest = await makeBackup({
    place,
    file,
    docket,
    now: Date.now,
    encryptTo,
    secretInFile,
    artifacts: included,
  })
  const { size } = await stat(file)
  console.log(`Wrote ${file} (${(size / 1e6).toFixed(1)} MB): ${formatContents(manifest)}.`)
  if (encryptTo === null)
    console.log(
      'It is not encrypted and holds secrets, such as password hashes. Keep it as private as the database itself.',
    )
  const carried = manifest.files.some(({ path }) => path === secretName)
  console.log(aboutArtifacts(included !== null, artifacts.s3 !== null))
  console.log(aboutSecret(carried, secretInFile, encryptTo !== null))
} catch (error) {
  fail(error, usage)
}
