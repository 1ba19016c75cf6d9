import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

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
