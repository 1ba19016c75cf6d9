import type { Manifest } from '#process/backup/manifest.ts'
import { describeFailure, readStackFrames } from '#ground/log/failure.ts'

export const formatContents = ({ tables, files }: Manifest): string => {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return `${rows} rows of ${tables.length} tables, ${files.length} files`
}

// Errors for operators are complete in their message; for a defect, the stack helps.
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
  'StorageFailed',
  'WrongSecret',
  'Error',
])

/** Prints why a command failed, with `usage` for unknown arguments. */
export const sayFailure = (error: unknown, usage: string): string => {
  if (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
    return `${error.message}\n${usage}`
  const known = error instanceof Error && spoken.has(error.name)
  const place = known || !(error instanceof Error) ? [] : readStackFrames(error)
  return [describeFailure(error), ...place].join('\n')
}
