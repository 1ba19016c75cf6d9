import type { Environment } from './environment.ts'
import { readS3, type S3Settings } from './s3.ts'

/** The operator's settings for scheduled backups. Secrets are functions, so printing the configuration cannot print them. */
export type BackupSettings = {
  /** Five fields. */
  cron: string
  timeZone: string
  /** Newest backups that stay. */
  keep: number
  /** Folder or bucket. */
  target: { folder: string } | { s3: S3Settings; prefix: string }
  /** Null: not encrypted. */
  encryption: { recipients: readonly string[] } | { passphrase: () => string } | null
  withArtifacts: boolean
}

const s3Keys = ['BACKUP_S3_ACCESS_KEY_ID', 'BACKUP_S3_SECRET_ACCESS_KEY']
const s3Parts = ['BACKUP_S3_PREFIX', 'BACKUP_S3_ENDPOINT', 'BACKUP_S3_REGION', ...s3Keys]
const parts = [
  'BACKUP_TIME_ZONE',
  'BACKUP_KEEP',
  'BACKUP_DIR',
  'BACKUP_S3_BUCKET',
  'BACKUP_RECIPIENTS',
  'BACKUP_PASSPHRASE',
  'BACKUP_UNENCRYPTED',
  'BACKUP_ARTIFACTS',
]

/** Checks the rules between the variables of scheduled backups. One sentence for each mistake. */
export const findBackupContradictions = (has: (name: string) => boolean, env: Partial<Environment>): string[] => {
  const problems = has('BACKUP_S3_BUCKET')
    ? s3Keys.filter((name) => !has(name)).map((name) => `${name} is needed with BACKUP_S3_BUCKET.`)
    : s3Parts
        .filter(has)
        .map((name) => `${name} is set without BACKUP_S3_BUCKET. Set BACKUP_S3_BUCKET too, or remove it.`)
  if (!has('BACKUP_SCHEDULE'))
    return [
      ...parts
        .filter(has)
        .map((name) => `${name} is set without BACKUP_SCHEDULE. Set BACKUP_SCHEDULE too, or remove it.`),
      ...problems,
    ]
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

/** Picks the settings of scheduled backups from a valid environment. Null without a schedule. */
export const readBackupSettings = (env: Environment): BackupSettings | null => {
  const s3 = readS3({
    bucket: env.BACKUP_S3_BUCKET,
    endpoint: env.BACKUP_S3_ENDPOINT,
    region: env.BACKUP_S3_REGION,
    accessKeyId: env.BACKUP_S3_ACCESS_KEY_ID,
    s3Key: env.BACKUP_S3_SECRET_ACCESS_KEY ?? env.BACKUP_S3_SECRET_ACCESS_KEY_FILE,
  })
  const { BACKUP_SCHEDULE: cron, BACKUP_DIR: folder, BACKUP_RECIPIENTS: recipients } = env
  const passphrase = env.BACKUP_PASSPHRASE ?? env.BACKUP_PASSPHRASE_FILE
  if (cron === undefined) return null
  return {
    cron,
    timeZone: env.BACKUP_TIME_ZONE,
    keep: env.BACKUP_KEEP,
    target: s3 === null ? { folder: folder! } : { s3, prefix: env.BACKUP_S3_PREFIX },
    encryption:
      recipients !== undefined ? { recipients } : passphrase === undefined ? null : { passphrase: () => passphrase },
    withArtifacts: env.BACKUP_ARTIFACTS,
  }
}
