import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Creates a folder for one test, which is removed after it. */
export const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'docket-local-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Creates a folder on another mount than the temporary folder, removed after the test. Null if this machine has no other writable mount. */
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

/** Writes files into a new folder, by their paths. */
export const writeFolder = async (files: Readonly<Record<string, string | Uint8Array>>): Promise<string> => {
  const folder = await temporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return folder
}
