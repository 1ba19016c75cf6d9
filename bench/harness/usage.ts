import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = 100

const read = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

const stat = (pid: number) => {
  const fields = read(pid, 'stat').split(') ').at(-1)?.split(' ') ?? []
  const number = (place: number) => Number(fields[place] ?? 0)
  return {
    parent: number(1),
    cpuSeconds: (number(11) + number(12)) / ticksPerSecond,
    endedChildren: number(13) + number(14),
  }
}

/** A process and all below it. */
export const listTree = (pid: number): number[] => {
  const parents = readdirSync('/proc')
    .map(Number)
    .filter(Number.isInteger)
    .map((process) => [process, stat(process).parent] as const)
  const tree = [pid]
  for (const parent of tree) for (const [child, parentId] of parents) if (parentId === parent) tree.push(child)
  return tree
}

/**
 * CPU time a process has used, or with `tree` all below it too, those that have ended included. Seconds, counted by the
 * kernel in hundredths.
 */
export const cpuSeconds = (pid: number, { tree = false } = {}): number =>
  tree
    ? listTree(pid).reduce((sum, one) => sum + stat(one).cpuSeconds + stat(one).endedChildren / ticksPerSecond, 0)
    : stat(pid).cpuSeconds

const kibibytes = (text: string, name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)

/** Memory of a process, or with `tree` of all below it too: its own pages and its part of shared ones (PSS). MB. */
export const memoryMb = (pid: number, { tree = false } = {}): number =>
  (tree ? listTree(pid) : [pid]).reduce((sum, one) => sum + kibibytes(read(one, 'smaps_rollup'), 'Pss'), 0) * 1.024e-3

/** Memory of a process as it would be if no other ran the same program: Node itself counts in full (RSS). MB. */
export const memoryAloneMb = (pid: number): number => kibibytes(read(pid, 'smaps_rollup'), 'Rss') * 1.024e-3

/** Most memory that a process ever had, as the kernel keeps it (RSS); 0 of one that has ended. MB. */
export const maxMemoryMb = (pid: number): number => kibibytes(read(pid, 'status'), 'VmHWM') * 1.024e-3

/** CPU time of the children of a process that have ended, and of theirs. Seconds. */
export const endedChildrenSeconds = (pid: number): number => stat(pid).endedChildren / ticksPerSecond
