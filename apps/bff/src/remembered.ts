import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Reads what an installation keeps in a small file of its own; null when it is not there or empty. */
export const readRemembered = async (file: string): Promise<string | null> =>
  readFile(file, 'utf8').then(
    (content) => content.trim() || null,
    () => null,
  )

/** Keeps it, readable for this user only. A crash leaves the old content or the new one. */
export const remember = async (file: string, content: string): Promise<void> => {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const unfinished = `${file}.${process.pid}.new`
  await writeFile(unfinished, `${content}\n`, { mode: 0o600, flush: true })
  await rename(unfinished, file)
}

/** The secret of this installation in `file`, made at the first start: `prefix`, an underscore and 256 random bits. */
export const rememberedSecret = async (file: string, prefix: string): Promise<string> => {
  const known = await readRemembered(file)
  if (known !== null) return known
  const made = `${prefix}_${randomBytes(32).toString('base64url')}`
  await remember(file, made)
  return made
}
