import { once } from 'node:events'
import { chmod, chown, lchown, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Binaries } from './binaries.ts'
import { EmbeddedPostgresUnavailable } from './errors.ts'
import { spawnAs, type RunAs } from './run-as.ts'

/** The only role; the server is reachable through a private socket alone, so it has no password. */
export const role = 'docket'

const syncDirectory = async (path: string): Promise<void> => {
  await using handle = await open(path)
  await handle.sync()
}

const runInitdb = async (binaries: Binaries, runAs: RunAs, directory: string): Promise<void> => {
  // The builtin locale sorts the same on every operating system and version, so an index never changes its order.
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  const args = ['-D', directory, '-U', role, '--auth=trust', '--no-instructions', ...locale]
  const child = spawnAs(runAs, binaries.initdb, args)
  const [stderr, [code]] = await Promise.all([text(child.stderr!), once(child, 'close')])
  if (code !== 0) throw new EmbeddedPostgresUnavailable(`initdb failed (${stderr.trim().split('\n').join(' ')})`)
}

const giveFolderTo = async (owner: number, directory: string): Promise<void> => {
  if ((await stat(directory)).uid === owner) return
  if (process.getuid?.() !== 0)
    throw new EmbeddedPostgresUnavailable(`${directory} belongs to another user; start Docket as that user`)
  for (const name of await readdir(directory, { recursive: true })) await lchown(join(directory, name), owner, owner)
  await lchown(directory, owner, owner)
}

// The other user must pass through the data directory, so its group may pass, and nothing more.
const letGroupPass = async (runAs: RunAs, dataDir: string): Promise<void> => {
  if (runAs.switchTo === undefined) return
  const { mode } = await stat(dataDir)
  if ((mode & 0o001) !== 0) return
  await chown(dataDir, -1, runAs.switchTo)
  await chmod(dataDir, (mode & 0o777) | 0o010)
}

/** Creates a new cluster under a temporary name, and removes incomplete ones. Requires the lock. */
export const ensureCluster = async (binaries: Binaries, runAs: RunAs, dataDir: string): Promise<string> => {
  const directory = join(dataDir, 'postgres')
  const unfinished = join(dataDir, 'postgres.new')
  await letGroupPass(runAs, dataDir)
  await rm(unfinished, { recursive: true, force: true })
  const exists = await stat(join(directory, 'PG_VERSION')).catch(() => undefined)
  if (exists === undefined) {
    await mkdir(unfinished, { mode: 0o700 })
    await giveFolderTo(runAs.owner, unfinished)
    await runInitdb(binaries, runAs, unfinished)
    await rename(unfinished, directory)
    await syncDirectory(dataDir)
  }
  await giveFolderTo(runAs.owner, directory)
  return directory
}
