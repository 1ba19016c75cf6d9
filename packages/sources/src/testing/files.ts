import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder of its own for one test, removed with it. */
export const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'docket-local-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A folder on another mount than the temporary folder, removed with the test. Null where this machine has none to write to. */
export const folderOfOtherMount = async (): Promise<string | null> => {
  const { dev } = await stat(tmpdir())
  for (const mount of ['/dev/shm', '/var/tmp', import.meta.dirname]) {
    if (((await stat(mount).catch(() => null))?.dev ?? dev) === dev) continue
    const folder = await mkdtemp(join(mount, 'docket-local-')).catch(() => null)
    if (folder === null) continue
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    return folder
  }
  return null
}

/** Writes files by their paths into a new folder. */
export const writeFolder = async (files: Readonly<Record<string, string | Uint8Array>>): Promise<string> => {
  const folder = await temporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return folder
}
