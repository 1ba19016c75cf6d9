import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chown, lstat, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmbeddedPostgresUnavailable } from './errors.ts'

/** The port names the socket file only; nothing listens on the network. */
export const port = 5432

// 107 bytes on Linux, 103 on macOS.
const fitsSocketPath = (directory: string): boolean => Buffer.byteLength(join(directory, `.s.PGSQL.${port}`)) <= 103

const canListen = async (directory: string): Promise<boolean> => {
  const server = createServer()
  try {
    server.listen(join(directory, 'try'))
    await once(server, 'listening')
    return true
  } catch {
    // Some mounts of virtual machines and container desktops support no sockets.
    return false
  } finally {
    await new Promise((closed) => server.close(closed))
  }
}

/** Creates the folder again, private. False when a foreign file is in the way. */
const makePrivateFolder = async (directory: string): Promise<boolean> => {
  const there = await lstat(directory).catch(() => undefined)
  if (there !== undefined && (there.isSymbolicLink() || !there.isDirectory())) return false
  try {
    await rm(directory, { recursive: true, force: true })
    await mkdir(directory, { mode: 0o700 })
    return true
  } catch {
    return false
  }
}

/** Folder of the socket: in the data directory if sockets work there, else in the temporary folder, named after that directory. */
export const makeSocketDir = async (dataDir: string, owner: number): Promise<string> => {
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  const inTmp = join(tmpdir(), `docket-${hash}`)
  const candidates = [
    () => Promise.resolve(join(dataDir, 'run')),
    () => Promise.resolve(inTmp),
    () => mkdtemp(`${inTmp}-`),
  ]
  for (const candidate of candidates) {
    const directory = await candidate()
    if (!fitsSocketPath(directory) || !(await makePrivateFolder(directory))) continue
    if (await canListen(directory)) {
      await chown(directory, owner, -1)
      return directory
    }
    await rm(directory, { recursive: true, force: true })
  }
  throw new EmbeddedPostgresUnavailable(`there is no folder for its socket (tried ${dataDir} and ${tmpdir()})`)
}
