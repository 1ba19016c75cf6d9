import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Entry } from './pack.ts'
import { type Architecture, nodeIntegrity, nodeVersion } from './platforms.ts'
import { ReleaseProblem, run } from './run.ts'

/** Throws when bytes do not have the SHA-512 of `integrity`. */
export const checkIntegrity = (name: string, bytes: Uint8Array, integrity: string): void => {
  const found = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  if (found !== integrity)
    throw new ReleaseProblem(
      `${name} from the npm registry has another checksum than release/platforms.ts says: ${found}.`,
    )
}

/** Node for a machine, and its licence, from the npm registry (or npm's cache), unpacked into an existing folder. */
export const fetchNode = async (architecture: Architecture, folder: string): Promise<Entry[]> => {
  const name = `node-linux-${architecture}`
  await run(folder, [
    'npm',
    'pack',
    `${name}@${nodeVersion}`,
    '--prefer-offline',
    '--silent',
    '--pack-destination',
    folder,
  ])
  const file = join(folder, `${name}-${nodeVersion}.tgz`)
  checkIntegrity(name, await readFile(file), nodeIntegrity[architecture])
  await run(folder, ['tar', '-xzf', file, 'package/bin/node', 'package/LICENSE'])
  return Promise.all(
    [
      { path: 'node/bin/node', from: 'package/bin/node', mode: 0o755 },
      { path: 'node/LICENSE', from: 'package/LICENSE', mode: 0o644 },
    ].map(async ({ path, from, mode }): Promise<Entry> => ({
      path,
      type: 'file',
      mode,
      content: await readFile(join(folder, from)),
    })),
  )
}
