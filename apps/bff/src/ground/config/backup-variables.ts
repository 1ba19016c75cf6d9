import { createRequire } from 'node:module'
import { isTimeZone } from '@docket/api-types/session'
import type * as cronParser from 'cron-parser'
import { optional, s3Variables, secret, withDefault } from './variable.ts'
import * as value from './values.ts'

const require = createRequire(import.meta.url)

const isCron = (text: string) => {
  const { CronExpressionParser } = require('cron-parser') as typeof cronParser
  try {
    CronExpressionParser.parse(text)
    return text.split(/\s+/).length === 5
  } catch {
    return false
  }
}

const keyPrefix = value.plain.refine((text) => /^([a-z0-9][\w.-]{0,99}\/){1,8}$/i.test(text), {
  error: 'must be plain names that each end with a slash, such as docket/ or backups/docket/',
})

export const backupVariables = {
  BACKUP_SCHEDULE: optional(
    value.plain.refine(isCron, { error: 'must be a cron expression with five fields, such as 0 3 * * *' }),
    {
      about:
        'When Docket makes backups, as a cron expression. One replica makes each. [Operating](./operating.md#scheduled-backups) has more. Without it, only `docket backup` makes one.',
      example: '0 3 * * *',
    },
  ),
  BACKUP_TIME_ZONE: withDefault(
    value.plain.refine(isTimeZone, { error: 'must be a time zone, such as UTC or Europe/Berlin' }),
    { about: 'Time zone of `BACKUP_SCHEDULE`.', byDefault: 'UTC', example: 'Europe/Berlin' },
  ),
  BACKUP_KEEP: withDefault(value.wholeNumber(1, 10_000), {
    about: 'Newest scheduled backups that stay. Docket deletes older ones after it has made a new one.',
    byDefault: '14',
    example: '30',
  }),
  BACKUP_DIR: optional(value.path, {
    about: 'Folder for scheduled backups, on another disk than `DATA_DIR`.',
    example: '/mnt/backups',
  }),
  BACKUP_S3_BUCKET: optional(value.plain, {
    about: 'Bucket of an S3 object store for scheduled backups, instead of a folder.',
    example: 'docket-backups',
  }),
  BACKUP_S3_PREFIX: withDefault(keyPrefix, {
    about: 'What the names of the objects begin with.',
    byDefault: 'docket/',
    example: 'backups/docket/',
  }),
  ...s3Variables('BACKUP', { accessKey: 'docket-backup', secretFile: '/run/secrets/backup-s3-secret' }),
  BACKUP_RECIPIENTS: optional(
    value.list.refine((keys) => keys.length > 0 && keys.every((key) => /^age1[a-z0-9]{10,5000}$/.test(key)), {
      error: 'must be age recipients, such as age1…, separated by commas',
    }),
    {
      about:
        'Public age keys that scheduled backups are encrypted to, separated by commas. Keep their identities elsewhere.',
      example: 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
    },
  ),
  ...secret('BACKUP_PASSPHRASE', value.plain, {
    about: 'Passphrase that scheduled backups are encrypted with, instead of keys. Keep a copy elsewhere.',
    example: 'trellis onion 7 marble quay',
    file: '/run/secrets/backup-passphrase',
  }),
  BACKUP_UNENCRYPTED: withDefault(value.yesOrNo, {
    about: 'Allows scheduled backups without encryption. They contain password hashes, and no instance secret.',
    byDefault: 'false',
    example: 'true',
  }),
  BACKUP_ARTIFACTS: withDefault(value.yesOrNo, {
    about: 'Includes stored bundles of a folder in scheduled backups.',
    byDefault: 'false',
    example: 'true',
  }),
}
