import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Manifest } from '#apps/bff/src/backup/manifest.ts'
import { describeFailure, readStackFrames } from '#apps/bff/src/log/failure.ts'

/** Version in the server's package.json. */
export const versionOfDocket = async (): Promise<string> => {
  const file = join(import.meta.dirname, '..', '..', 'apps', 'bff', 'package.json')
  return (JSON.parse(await readFile(file, 'utf8')) as { version: string }).version
}

/** Describes the contents of a backup. */
export const formatContents = ({ tables, files }: Manifest): string => {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return `${rows} rows of ${tables.length} tables, ${files.length} files`
}

// Errors for operators say everything in their message; of a defect the place helps.
const spoken = new Set([
  'BackupRefused',
  'DataDirInUse',
  'DatabaseUnreachable',
  'DatabaseForbids',
  'DatabaseForeign',
  'DatabaseTooNew',
  'EmbeddedPostgresUnavailable',
  'ConfigError',
  'NoSuchAdmin',
  'NoAuditExport',
  'WrongSecret',
  'Error',
])

/** Says why it did not work, with `usage` for arguments that do not exist, and ends with 1. */
export const fail = (error: unknown, usage: string): void => {
  process.exitCode = 1
  if (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) {
    console.error(`${error.message}\n${usage}`)
    return
  }
  const known = error instanceof Error && spoken.has(error.name)
  const place = known || !(error instanceof Error) ? [] : readStackFrames(error)
  console.error([describeFailure(error), ...place].join('\n'))
}
