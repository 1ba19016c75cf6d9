import { rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { makeBackup } from '#process/backup/make-backup.ts'
import { removeStaging } from '#process/backup/data-files.ts'
import { BackupRefused } from '#process/backup/manifest.ts'
import { describeStoreLocation, findLocalFolder } from '#ground/config/stores.ts'
import { readConfig, toDatabasePlace } from '#ground/config/config.ts'
import { secretName } from '#ground/secret/secrets.ts'
import { readEncryptTo, readOpenWith } from './backup-keys.ts'
import { readOwnVersion } from '#process/start/own-version.ts'
import type { Command } from './command.ts'
import { formatContents } from './say.ts'
import type { OpenWith } from '#process/backup/encryption.ts'
import { verifyBackup } from '#process/backup/verify-backup.ts'

/** Prints whether the backup can be restored, and returns the exit code. Leaves nothing behind, even after a signal. */
const proveBackup = async (
  backup: { file: string; openWith: OpenWith | null },
  print: Parameters<Command>[0]['print'],
): Promise<number> => {
  const stopped = new AbortController()
  let code = 0
  const stop = (signal: NodeJS.Signals) => {
    code = signal === 'SIGINT' ? 130 : 143
    stopped.abort()
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  try {
    const { manifest, applied } = await verifyBackup({ ...backup, signal: stopped.signal })
    print(`Verified ${backup.file}: restored into an empty database, ${formatContents(manifest)}.`)
    print('The rows of each table have the number and the SHA-256 that the backup names, and each file has its bytes.')
    print(
      applied === 0
        ? 'Its tables are those of this version.'
        : `This version brought its tables up to date with ${applied} ${applied === 1 ? 'migration' : 'migrations'}.`,
    )
    return 0
  } catch (error) {
    if (code === 0) throw error
    return code
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
}

const options = {
  artifacts: { type: 'boolean', default: false },
  verify: { type: 'boolean', default: false },
  'identity-file': { type: 'string' },
  'passphrase-file': { type: 'string' },
  recipient: { type: 'string', multiple: true },
  'recipients-file': { type: 'string' },
} as const

const describeSecret = (carried: boolean, secretInFile: boolean, encrypted: boolean): string => {
  if (carried) return 'The instance secret is in it.'
  if (!secretInFile)
    return 'AUTH_SECRET is not in it: keep it elsewhere. Without it, second factors must be set up again.'
  const how = encrypted
    ? 'There was none in DATA_DIR yet.'
    : 'Encrypt the backup, or keep DATA_DIR/docket.secret elsewhere.'
  return `The instance secret is not in it. Without it, second factors must be set up again after a restore. ${how}`
}

const describeArtifacts = (included: boolean, inS3: boolean): string => {
  if (inS3) return 'Stored bundles are in the object store: back up its bucket, too.'
  return included
    ? 'The stored bundles are in it.'
    : 'The stored bundles are not in it: include them with --artifacts, or back up their folder, too.'
}

export const backup: Command = async ({ args, env, from, usage, print, warn }) => {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  if (positionals.length > 1) throw new Error(usage)
  const [name] = positionals
  const { verify, 'identity-file': identityFile } = values
  if (identityFile !== undefined && !verify) throw new Error(usage)
  const openWith = verify ? await readOpenWith(values, from) : null
  if (verify && name !== undefined) return proveBackup({ file: resolve(from, name), openWith }, print)
  // An identity only opens backups, while a passphrase can also encrypt them.
  const encryptTo = await readEncryptTo(values, from)
  if (verify && encryptTo !== null && openWith === null)
    throw new BackupRefused('Name the --identity-file that opens the backup, so that it can be verified.')
  const config = await readConfig(env, warn)
  const { dataDir, authSecret, artifacts } = config
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  const file = resolve(from, name ?? `docket-backup-${stamp}.tar${encryptTo === null ? '' : '.age'}`)
  const place = toDatabasePlace(config)
  const secretInFile = authSecret === null
  let made = false
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    process.once(signal, () => {
      if (made) return
      removeStaging(place.dataDir)
      rmSync(`${file}.unfinished`, { force: true })
      process.exit(code)
    })
  const storeFolder = findLocalFolder(artifacts.store)
  const included = values.artifacts ? storeFolder : null
  const docket = await readOwnVersion()
  const manifest = await makeBackup({
    place,
    file,
    docket,
    now: Date.now,
    encryptTo,
    secretInFile,
    artifacts: included,
    store: describeStoreLocation(artifacts.store, dataDir),
  })
  made = true
  const { size } = await stat(file)
  print(`Wrote ${file} (${(size / 1e6).toFixed(1)} MB): ${formatContents(manifest)}.`)
  if (encryptTo === null)
    print('It is not encrypted and holds secrets, such as password hashes. Keep it as private as the database itself.')
  const carried = manifest.files.some(({ path }) => path === secretName)
  print(describeArtifacts(included !== null, storeFolder === null))
  print(describeSecret(carried, secretInFile, encryptTo !== null))
  return verify ? proveBackup({ file, openWith }, print) : 0
}
