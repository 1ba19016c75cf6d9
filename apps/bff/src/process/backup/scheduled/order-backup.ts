import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { makeBackup } from '#process/backup/make-backup.ts'

export type BackupOrder = Omit<Parameters<typeof makeBackup>[0], 'now'>

/** `reason`: a readable reason why the backup failed; null when it succeeded. `detail` is for the log. */
export type BackupOutcome = { reason: string | null; detail?: string }

const program = fileURLToPath(import.meta.resolve('./backup-process.ts'))
const ended: BackupOutcome = { reason: 'The process that made the backup was ended. Docket tries again.' }

/** Makes a backup in a separate process, so that encryption and compression delay no request. Never rejects. */
export const orderBackup = async (order: BackupOrder): Promise<BackupOutcome> => {
  const child = fork(program, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [] })
  let outcome: BackupOutcome = ended
  child.on('message', (message) => {
    outcome = message as BackupOutcome
  })
  try {
    await once(child, 'spawn')
    if (child.pid !== undefined) setPriority(child.pid, 10)
    child.send(order)
    if (child.exitCode === null) await once(child, 'exit')
    return outcome
  } catch (error) {
    child.kill()
    return { ...ended, detail: error instanceof Error ? error.message : String(error) }
  }
}
