import type { OpenWith } from '#process/backup/encryption.ts'
import { verifyBackup } from '#process/backup/verify-backup.ts'
import type { Command } from './command.ts'
import { formatContents } from './say.ts'

/** Proves that a backup can be restored, and prints what was proved. Resolves with the exit code; leaves nothing behind, also after a signal. */
export const proveBackup = async (
  backup: { file: string; openWith: OpenWith | null },
  print: Parameters<Command>[0]['print'],
): Promise<number> => {
  const stopped = new AbortController()
  let code = 0
  const stop = (signal: NodeJS.Signals) => {
    code = signal === 'SIGINT' ? 130 : 143
    stopped.abort()
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  try {
    const { manifest, applied } = await verifyBackup({ ...backup, signal: stopped.signal })
    print(`Verified ${backup.file}: restored into an empty database, ${formatContents(manifest)}.`)
    print('The rows of each table have the number and the SHA-256 that the backup names, and each file has its bytes.')
    print(
      applied === 0
        ? 'Its tables are those of this version.'
        : `This version brought its tables up to date with ${applied} ${applied === 1 ? 'migration' : 'migrations'}.`,
    )
    return 0
  } catch (error) {
    if (code === 0) throw error
    return code
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
}
