import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Process id of the embedded PostgreSQL of a data folder. */
export const findDatabase = async (dataDir: string): Promise<number> =>
  Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])

/** True when such a process of this user exists. */
export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
