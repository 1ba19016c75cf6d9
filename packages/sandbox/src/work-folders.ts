import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export const workTreeName = 'tree'

const run = promisify(execFile)

/** Removes work folders left by a crash. Names contain their owner, so that those of other installations stay. */
export const openWorkFolders = async (dataDir: string) => {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const place = await realpath(dataDir)
  const { ino } = await stat(place)
  // The path alone is the same in two containers that share a folder for temporary files.
  const owner = createHash('sha256').update(`${ino} ${place}`).digest('hex').slice(0, 16)
  const prefix = `docket-work-${owner}-`
  const parent = tmpdir()
  const found = await readdir(parent, { withFileTypes: true }).catch(() => [])
  for (const entry of found)
    if (entry.isDirectory() && entry.name.startsWith(prefix)) await removeFolder(join(parent, entry.name))
  return {
    /** A new, empty folder with a random name that only this user can enter. */
    create: () => mkdtemp(join(parent, prefix)),
    /** Removes paths of this machine from a text: those in a checkout become relative, others become `…`. */
    hidePaths: (text: string) => {
      const relative = replaceAfter(text, join(parent, prefix), new RegExp(`^\\w+(/${workTreeName}/)?`), '')
      return [dataDir, place].reduce((rest, ours) => replaceAfter(rest, ours, /^[^\s'":,]*/, '…'), relative)
    },
  }
}

/** Creates folders for turns, outside the data folder, because a command's user could not enter that. */
export type WorkFolders = Awaited<ReturnType<typeof openWorkFolders>>

const replaceAfter = (text: string, start: string, rest: RegExp, replacement: string) => {
  const [before = '', ...pieces] = text.split(start)
  return [before, ...pieces.map((piece) => replacement + piece.replace(rest, ''))].join('')
}

/** Removes a folder that a command filled, whatever its depth and permissions. Ignores failures. */
export const removeFolder = async (folder: string): Promise<void> => {
  try {
    await rm(folder, { recursive: true, force: true })
  } catch {
    // Node works with whole paths, which the kernel bounds; these descend folder by folder.
    await run('chmod', ['-R', 'u+rwx', folder]).catch(() => {})
    await run('rm', ['-rf', folder]).catch(() => {})
  }
}
