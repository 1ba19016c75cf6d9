import { randomUUID } from 'node:crypto'
import { open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Replaces a file so that a crash or power cut leaves either the old content or the new, never a part. `mode` is octal. */
export const writeDurably = async (file: string, content: string | Uint8Array, mode = 0o644): Promise<void> => {
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    await writeFile(temporary, content, { flag: 'wx', mode, flush: true })
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(dirname(file))
}

export const syncFile = async (file: string): Promise<void> => {
  await using handle = await open(file, 'r')
  await handle.sync()
}

/** Makes the names in a folder durable, because a power cut may undo a rename. */
export const syncFolder = async (folder: string): Promise<void> => {
  await using handle = await open(folder, 'r')
  // Some file systems refuse to sync a folder; the content itself is safe.
  await handle.sync().catch(() => {})
}
