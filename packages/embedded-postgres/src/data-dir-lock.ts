import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { DataDirInUse } from './errors.ts'

const sqliteBusy = 5

// SQLite's lock is the operating system's own: it ends with the process, however that ends, so it is never stale and
// needs no process ids, which mean nothing between containers that share a volume. Node has no call for a bare lock.
const tryLock = (path: string): DatabaseSync | undefined => {
  const lock = new DatabaseSync(path)
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return undefined
    throw error
  }
}

/**
 * Locks a data directory for this process and returns a function that unlocks it. Waits `waitMs` for a stopping process. Errors:
 * `DataDirInUse`.
 */
export const lockDataDir = async (dataDir: string, waitMs: number): Promise<() => void> => {
  const path = join(dataDir, 'docket.lock')
  const deadline = Date.now() + waitMs
  for (;;) {
    const lock = tryLock(path)
    if (lock !== undefined) return () => lock.close()
    if (Date.now() >= deadline) throw new DataDirInUse(dataDir)
    await sleep(50)
  }
}
