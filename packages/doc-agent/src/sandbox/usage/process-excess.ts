import { readdir, readFile } from 'node:fs/promises'
import type { SandboxLimits } from '#sandbox/limits.ts'

/**
 * Why the processes of a sandbox take too much, as a sentence for the reader, or null. `init` is the first process of its process namespace,
 * so all the others descend from it. Memory is what is resident and not a file of the disk; pages that processes share count for each.
 */
export const findProcessExcess = async (init: number, limits: SandboxLimits): Promise<string | null> => {
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
  // A main thread that ended has no memory any more, while the others still do.
  for (const task of tasks) {
    const status = await readFile(`/proc/${pid}/task/${task}/status`, 'utf8').catch(() => '')
    const lines = [...status.matchAll(/^(?:RssAnon|RssShmem|VmPTE):\s*(\d+) kB$/gm)]
    if (lines.length > 0) return lines.reduce((sum, [, kB]) => sum + Number(kB), 0) * 1024
  }
  return 0
}
