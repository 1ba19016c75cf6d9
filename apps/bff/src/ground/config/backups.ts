import { backupVariables } from './backup-variables.ts'
import type { Environment } from './environment.ts'
import { findMissingParts, readS3, requireS3 } from './stores.ts'

/** Settings that have no effect without a schedule. */
const parts = Object.keys(backupVariables).filter((name) => !/^BACKUP_SCHEDULE$|_FILE$|_S3_(?!BUCKET$)/.test(name))

export const findBackupContradictions = (has: (name: string) => boolean, env: Partial<Environment>): string[] => {
  const problems = findMissingParts(has, requireS3('BACKUP', ['BACKUP_S3_PREFIX']))
  if (!has('BACKUP_SCHEDULE')) return [...findMissingParts(has, ['BACKUP_SCHEDULE', parts, []]), ...problems]
  if (has('BACKUP_DIR') === has('BACKUP_S3_BUCKET'))
    problems.push(
      has('BACKUP_DIR')
        ? 'BACKUP_DIR and BACKUP_S3_BUCKET are both set. Keep one of them.'
        : 'BACKUP_SCHEDULE needs a place for the backups. Set BACKUP_S3_BUCKET or BACKUP_DIR.',
    )
  const ways = [has('BACKUP_RECIPIENTS'), has('BACKUP_PASSPHRASE'), env.BACKUP_UNENCRYPTED === true]
  const chosen = ways.filter(Boolean).length
  if (chosen === 0)
    problems.push(
      'BACKUP_SCHEDULE needs encryption, because backups hold secrets. Set BACKUP_RECIPIENTS or BACKUP_PASSPHRASE_FILE, or allow plain backups with BACKUP_UNENCRYPTED=true.',
    )
  if (chosen > 1)
    problems.push('BACKUP_RECIPIENTS, BACKUP_PASSPHRASE and BACKUP_UNENCRYPTED exclude each other. Keep one of them.')
  return problems
}

/** The operator's settings for scheduled backups. Secrets are functions, so printing the configuration cannot print them. */
export const readBackupSettings = (env: Environment) => {
  const s3 = readS3(env, 'BACKUP')
  const { BACKUP_SCHEDULE: cron, BACKUP_DIR: folder, BACKUP_RECIPIENTS: recipients } = env
  const passphrase = env.BACKUP_PASSPHRASE ?? env.BACKUP_PASSPHRASE_FILE
  if (cron === undefined) return null
  return {
    /** A cron expression of five fields. */
    cron,
    timeZone: env.BACKUP_TIME_ZONE,
    /** Number of newest backups to keep. */
    keep: env.BACKUP_KEEP,
    target:
      s3 === null ? { kind: 'disk' as const, folder: folder!, prefix: '' } : { ...s3, prefix: env.BACKUP_S3_PREFIX },
    /** Null when backups are not encrypted. */
    encryption:
      recipients !== undefined ? { recipients } : passphrase === undefined ? null : { passphrase: () => passphrase },
    withArtifacts: env.BACKUP_ARTIFACTS,
  }
}

export type BackupSettings = NonNullable<ReturnType<typeof readBackupSettings>>
