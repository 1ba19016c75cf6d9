import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { DataDirInUse } from './errors.ts'

const sqliteBusy = 5

// Uses the lock of a SQLite file. The operating system releases it when the process ends for any reason, so it is never
// stale. Process ids would mean nothing between containers that share a volume, and Node has no lock call.
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
