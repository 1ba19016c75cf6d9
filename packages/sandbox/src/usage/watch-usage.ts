import { constants } from 'node:fs'
import { lstat, open, readdir, readFile, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { SandboxLimits } from '#limits.ts'

/** Pauses between two measurements. Memory fills in a moment, and a large checkout takes a while to count. Milliseconds. */
const pauses = { processes: 200, disk: 2000 }

/** Calls `onExcess` with the reason when a limit is exceeded. Returns a function that stops the watch. */
export const watchUsage = (
  { init, folders, limits }: { init: number; folders: readonly string[]; limits: SandboxLimits },
  onExcess: (sentence: string) => void,
): (() => void) => {
  const ended = new AbortController()
  const repeat = async (findExcess: () => Promise<string | null>, pauseMs: number) => {
    const excess = await findExcess().catch(
      () => 'The command was stopped: its use of memory and disk cannot be measured here.',
    )
    if (ended.signal.aborted) return
    if (excess !== null) return onExcess(excess)
    const timer = setTimeout(() => void repeat(findExcess, pauseMs), pauseMs)
    ended.signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  }
  void repeat(() => findProcessExcess(init, limits), pauses.processes)
  for (const folder of folders) void repeat(() => findDiskExcess(folder, limits), pauses.disk)
  return () => ended.abort()
}

/** Null when no limit is exceeded. Memory is resident and anonymous; shared pages count for each process. */
const findProcessExcess = async (init: number, limits: SandboxLimits): Promise<string | null> => {
  const used = { memory: 0, tasks: 0 }
  const waiting = [init]
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    const tasks = await readdir(`/proc/${pid}/task`).catch(() => [])
    used.tasks += tasks.length
    used.memory += await readMemory(pid, tasks)
    if (used.tasks > limits.tasks)
      return `The command was stopped: it started more than ${limits.tasks} processes and threads.`
    if (used.memory > limits.memory)
      return `The command was stopped: it used more than ${Math.round(limits.memory / 1024 ** 2)} MB of memory.`
    for (const task of tasks) waiting.push(...(await readChildren(pid, task)))
  }
  return null
}

const readChildren = async (pid: number, task: string) => {
  const children = await readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '')
  return children.split(' ').filter(Boolean).map(Number)
}

/** Resident memory with its page tables. Bytes. */
const readMemory = async (pid: number, tasks: readonly string[]): Promise<number> => {
  // An ended main thread reports no memory, while its other threads still use some.
  for (const task of tasks) {
    const status = await readFile(`/proc/${pid}/task/${task}/status`, 'utf8').catch(() => '')
    const lines = [...status.matchAll(/^(?:RssAnon|RssShmem|VmPTE):\s*(\d+) kB$/gm)]
    if (lines.length > 0) return lines.reduce((sum, [, kB]) => sum + Number(kB), 0) * 1024
  }
  return 0
}

export const findDiskExcess = async (checkout: string, limits: SandboxLimits): Promise<string | null> => {
  const disk = await statfs(checkout).catch(treatGoneAsEmpty)
  if (disk === null) return uncountable
  // Deleted files that a process still has open use disk space without being in a folder.
  if ('bavail' in disk && isAlmostFull(disk, limits.freeDisk))
    return 'The command was stopped: the disk is almost full.'
  const used = { bytes: 0, entries: 0 }
  const isReadable = await addFolder(checkout, used, limits, 0)
  if (!isReadable) return uncountable
  if (used.bytes <= limits.checkout && used.entries <= limits.entries) return null
  return `The command was stopped: it wrote more than ${Math.round(limits.checkout / 1024 ** 2)} MB or ${limits.entries} files and folders.`
}

const uncountable = 'The command was stopped: it made a folder whose files cannot be counted.'

/** True when less than `freeDisk` bytes are free, or less than a tenth of a small disk. */
export const isAlmostFull = (disk: { bsize: number; blocks: number; bavail: number }, freeDisk: number): boolean =>
  disk.bavail * disk.bsize < Math.min(freeDisk, (disk.blocks * disk.bsize) / 10)

/** Longest path that is read as it is: with a name below it, it stays below the 4,096 bytes that the kernel takes. */
const maxPathBytes = 3_800
/** Folders deeper than any path are opened, at most so many at once. */
const openAtOnce = 8

/** Adds the contents of a folder to `used`, up to the limits. False when a folder exists and cannot be read. */
const addFolder = async (
  folder: string,
  used: { bytes: number; entries: number },
  limits: SandboxLimits,
  opened: number,
): Promise<boolean> => {
  if (Buffer.byteLength(folder) > maxPathBytes) return addDeepFolder(folder, used, limits, opened + 1)
  const entries = await readdir(folder, { withFileTypes: true }).catch(treatGoneAsEmpty)
  if (entries === null) return false
  for (const entry of entries) {
    used.entries += 1
    if (used.entries > limits.entries || used.bytes > limits.checkout) return true
    const path = join(folder, entry.name)
    const found = await lstat(path).catch(treatGoneAsEmpty)
    if (found === null) return false
    used.bytes += ('blocks' in found ? found.blocks : 0) * 512
    if (entry.isDirectory() && !(await addFolder(path, used, limits, opened))) return false
  }
  return true
}

const addDeepFolder: typeof addFolder = async (folder, used, limits, opened) => {
  if (opened > openAtOnce) return false
  const handle = await open(folder, constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(treatGoneAsEmpty)
  if (handle === null || Array.isArray(handle)) return handle !== null
  try {
    return await addFolder(`/proc/self/fd/${handle.fd}`, used, limits, opened)
  } finally {
    await handle.close()
  }
}

/** Empty when the folder no longer exists, null when it is unreadable. */
const treatGoneAsEmpty = (error: NodeJS.ErrnoException): [] | null =>
  error.code === 'ENOENT' || error.code === 'ENOTDIR' ? [] : null
