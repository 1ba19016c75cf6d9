import { createHash } from 'node:crypto'
import { createReadStream, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { qualifyName } from './catalog.ts'
import { openStaging } from './data-files.ts'
import type { OpenWith } from './encryption.ts'
import { dataPrefix, type Manifest, BackupRefused } from './manifest.ts'
import { countPending } from '#ground/db/migrate.ts'
import { restoreBackup } from './restore-backup.ts'
import { readBackup } from './sealed-file.ts'

const hashStream = async (content: Readable): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(content, hash)
  return hash.digest('hex')
}

const verifyRowCounts = async (client: Client, manifest: Manifest, signal: AbortSignal): Promise<void> => {
  // Migrations may move rows between tables.
  const isOlder = countPending(manifest) > 0
  for (const { name, rows: expected } of manifest.tables) {
    signal.throwIfAborted()
    const { rows: known } = await client.query<{ is: boolean }>(`select to_regclass($1) is not null as is`, [
      qualifyName(name),
    ])
    if (known[0]?.is !== true && isOlder) continue
    const { rows } = await client.query<{ found: string }>(`select count(*) as found from ${qualifyName(name)}`)
    const found = Number(rows[0]!.found)
    if (found !== expected && !isOlder)
      throw new BackupRefused(`${name} has ${found} rows after the restore instead of ${expected}.`)
  }
}

const compareFiles = async (
  { file, openWith, dataDir }: { file: string; openWith: OpenWith | null; dataDir: string },
  signal: AbortSignal,
): Promise<void> => {
  const { entries } = await readBackup(file, openWith)
  try {
    for await (const { name, content } of entries) {
      signal.throwIfAborted()
      const sum = await hashStream(content)
      if (!name.startsWith(dataPrefix)) continue
      const path = name.slice(dataPrefix.length)
      if (sum !== (await hashStream(createReadStream(join(dataDir, path)))))
        throw new BackupRefused(`The restored file ${path} is not the one in the backup.`)
    }
  } finally {
    await entries.return(undefined).catch(() => {})
  }
}

/**
 * Restores a backup into an empty embedded database in a temporary folder, migrates it to this version, and compares the rows of all tables
 * and the bytes of all files with the backup. Leaves nothing behind, even after `signal`. Throws `BackupRefused`. Returns the manifest and
 * the number of migrations that were applied.
 */
export const verifyBackup = async (options: {
  file: string
  openWith: OpenWith | null
  signal: AbortSignal
}): Promise<{ manifest: Manifest; applied: number }> => {
  const { file, openWith, signal } = options
  const folder = await openStaging(tmpdir(), 'docket-verify.')
  try {
    const dataDir = join(folder, 'data')
    const { manifest } = await restoreBackup({
      place: { databaseUrl: null, dataDir },
      file,
      openWith,
      rehearsal: { check: (client, found) => verifyRowCounts(client, found, signal), signal },
    })
    await compareFiles({ file, openWith, dataDir }, signal)
    return { manifest, applied: countPending(manifest) }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
