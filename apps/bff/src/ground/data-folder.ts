import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, writeFile, chmod, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Names of Docket's own entries in its data folder, and `lost+found`, which a separate file system adds. */
const own = /^(postgres|local-admin-api|docket|run|restore)(\.|$)|^lost\+found$/

/** Permissions of other users. The group may pass through, because PostgreSQL may run as another user. */
const othersRights = 0o067

/**
 * Makes the data folder private if it contains only Docket's own entries. Leaves a shared or foreign folder unchanged and returns a warning
 * for the log. Null when the folder is private.
 */
export const closeDataFolder = async (folder: string): Promise<string | null> => {
  const found = await stat(folder).catch(() => null)
  if (found === null || (found.mode & othersRights) === 0) return null
  const names = await readdir(folder).catch(() => null)
  const isOwn = names?.every((name) => own.test(name)) === true
  const closed =
    isOwn &&
    (await chmod(folder, 0o700).then(
      () => true,
      () => false,
    ))
  return closed
    ? null
    : `Other users of this machine may enter DATA_DIR ${folder}. It ${isOwn ? 'could not be closed to them' : 'holds more than what is of Docket'}, so it was left as it is. What Docket writes in it is closed to them; a folder of its own with the mode 0700 is better.`
}

const buildOwnNamePath = (dataDir: string) => join(dataDir, 'own-name')

/** Reads the host name of this data folder. Null before the first start. */
export const readOwnName = async (dataDir: string): Promise<string | null> => {
  const name = await readPrivateFile(buildOwnNamePath(dataDir))
  return name !== null && /^docket-[0-9a-f]{12}\.localhost$/.test(name) ? name : null
}

/**
 * Reads the host name of this data folder, such as `docket-3f9c1a7be204.localhost`, or chooses it. Browsers send cookies of a name to every
 * port of this computer, so other programs there must not know the name: it is random, and only signed-in people see it.
 */
export const openOwnName = async (dataDir: string): Promise<string> => {
  const known = await readOwnName(dataDir)
  if (known !== null) return known
  const name = `docket-${randomBytes(6).toString('hex')}.localhost`
  await writePrivateFile(buildOwnNamePath(dataDir), name)
  return name
}

/** Reads a small file, trimmed. Null when it is missing, unreadable or empty. */
export const readPrivateFile = async (file: string): Promise<string | null> =>
  readFile(file, 'utf8').then(
    (content) => content.trim() || null,
    () => null,
  )

/** Flushes a file, or the entries of a folder, to the disk. */
export const syncToDisk = async (path: string): Promise<void> => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Writes `content` to the disk, readable for this user only. A crash leaves the old content or the new one, never a part. */
export const writePrivateFile = async (file: string, content: string): Promise<void> => {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const unfinished = `${file}.${process.pid}.new`
  await writeFile(unfinished, `${content}\n`, { mode: 0o600, flush: true })
  await rename(unfinished, file)
  await syncToDisk(dirname(file))
}

/** Reads the secret in `file`, or creates it: `prefix`, an underscore and 256 random bits. */
export const openSecretFile = async (file: string, prefix: string): Promise<string> => {
  const known = await readPrivateFile(file)
  if (known !== null) return known
  const secret = `${prefix}_${randomBytes(32).toString('base64url')}`
  await writePrivateFile(file, secret)
  return secret
}
