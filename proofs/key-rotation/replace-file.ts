import { chmod, lstat, mkdir, open, readlink, rename, rm, symlink, truncate, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** Puts another content into a file, as people and machines do it. */
type Replace = (file: string, content: string) => Promise<void>

const momentMs = 150

/** A new file in the place of whatever is there. */
const renamed: Replace = async (file, content) => {
  await writeFile(`${file}.next`, content, { mode: 0o600 })
  await rename(`${file}.next`, file)
}

const writeInPlace: Replace = async (file, content) => {
  await rm(file, { force: true, recursive: true })
  await writeFile(file, content, { mode: 0o600 })
}

/** As a kubelet does: the file is a link into `..data`, itself a link to a folder, and that one is swapped. */
const swapped: Replace = async (file, content) => {
  const folder = dirname(file)
  const data = join(folder, '..data')
  const version = join(folder, `..version-${Date.now()}-${Math.random().toString(36).slice(2)}`)
  await mkdir(version)
  await writeFile(join(version, 'key'), content, { mode: 0o600 })
  const before = await readlink(data).catch(() => null)
  await symlink(version, `${data}.next`)
  await rename(`${data}.next`, data)
  if (!(await lstat(file)).isSymbolicLink()) {
    await symlink(join('..data', 'key'), `${file}.next`)
    await rename(`${file}.next`, file)
  }
  if (before !== null) await rm(before, { recursive: true })
}

/** Every way, by name. Those of a moment leave the file unusable for that long. */
export const waysToReplace: Readonly<Record<string, Replace>> = {
  'by rename': renamed,
  'by truncate and write': async (file, content) => {
    // Whatever a swap before left: this one is about a file.
    if ((await lstat(file)).isSymbolicLink()) await renamed(file, content)
    else await writeFile(file, content)
  },
  'in two halves': async (file, content) => {
    if ((await lstat(file)).isSymbolicLink()) return renamed(file, content)
    const handle = await open(file, 'w')
    await handle.write(content.slice(0, 20))
    await delay(30)
    await handle.write(content.slice(20))
    await handle.close()
  },
  'by a swap of links': swapped,
  'empty for a moment': async (file, content) => {
    await truncate(file)
    await delay(momentMs)
    await renamed(file, content)
  },
  'missing for a moment': async (file, content) => {
    await unlink(file)
    await delay(momentMs)
    await writeInPlace(file, content)
  },
  'a folder for a moment': async (file, content) => {
    await unlink(file)
    await mkdir(file)
    await delay(momentMs)
    await writeInPlace(file, content)
  },
  // An administrator can read it all the same; then this one is an ordinary rename.
  'unreadable for a moment': async (file, content) => {
    await chmod(file, 0)
    await delay(momentMs)
    await renamed(file, content)
  },
}
