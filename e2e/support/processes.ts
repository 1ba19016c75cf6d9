import { readdirSync, readFileSync } from 'node:fs'

const readProc = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/**
 * Processes of this machine that name a folder in their arguments or environment. That is how what a killed server left
 * behind is found: its children have another parent by then. Empty where there is no /proc.
 */
export const listProcesses = (folder: string): number[] => {
  let all: number[]
  try {
    all = readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
  return all.filter(
    (pid) =>
      pid !== process.pid &&
      (readProc(pid, 'cmdline').includes(folder) ||
        readProc(pid, 'environ')
          .split('\0')
          .some((pair) => pair === `DATA_DIR=${folder}`)),
  )
}
