import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Reads what an installation keeps in a small file of its own; null when it is not there or empty. */
export const readRemembered = async (file: string): Promise<string | null> =>
  readFile(file, 'utf8').then(
    (content) => content.trim() || null,
    () => null,
  )

/** Waits until a file, or the names in a folder, are on the disk. */
export const syncToDisk = async (path: string): Promise<void> => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Writes `content` to the disk, readable for this user only. A crash leaves the old content or the new one. */
export const remember = async (file: string, content: string): Promise<void> => {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const unfinished = `${file}.${process.pid}.new`
  await writeFile(unfinished, `${content}\n`, { mode: 0o600, flush: true })
  await rename(unfinished, file)
  await syncToDisk(dirname(file))
}

/** The secret of this installation in `file`, made at the first start: `prefix`, an underscore and 256 random bits. */
export const rememberedSecret = async (file: string, prefix: string): Promise<string> => {
  const known = await readRemembered(file)
  if (known !== null) return known
  const made = `${prefix}_${randomBytes(32).toString('base64url')}`
  await remember(file, made)
  return made
}
