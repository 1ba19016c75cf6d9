import { readdirSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'

const prefix = 'docket.backup.'

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Removes the folders of backups that were interrupted, this process's own included: they hold tables in clear. */
export const removeStaging = (dataDir: string): void => {
  for (const name of readdirSync(dataDir)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : NaN
    if (pid === process.pid || (!Number.isNaN(pid) && !isRunning(pid)))
      rmSync(join(dataDir, name), { recursive: true, force: true })
  }
}

/** Makes a folder below the data folder in which this process puts a backup together. Removes what interrupted backups left. */
export const openStaging = (dataDir: string): Promise<string> => {
  removeStaging(dataDir)
  return mkdtemp(join(dataDir, `${prefix}${process.pid}.`))
}
