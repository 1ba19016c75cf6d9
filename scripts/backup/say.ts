import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Manifest } from '#apps/bff/src/backup/manifest.ts'

/** Version in the server's package.json. */
export const versionOfDocket = async (): Promise<string> => {
  const file = join(import.meta.dirname, '..', '..', 'apps', 'bff', 'package.json')
  return (JSON.parse(await readFile(file, 'utf8')) as { version: string }).version
}

/** What a backup holds, in words. */
export const listed = ({ tables, files }: Manifest): string => {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return `${rows} rows of ${tables.length} tables, ${files.length} files`
}

// Errors for operators say everything in their message; of a defect the place helps.
const spoken = new Set([
  'BackupRefused',
  'DataDirInUse',
  'DatabaseUnreachable',
  'DatabaseForbids',
  'DatabaseTooNew',
  'EmbeddedPostgresUnavailable',
  'ConfigError',
  'NoSuchAdmin',
  'NoAuditExport',
  'Error',
])

/** Says why it did not work and ends with 1. */
export const fail = (error: unknown): void => {
  const known = error instanceof Error && spoken.has(error.name)
  console.error(known ? error.message : error)
  process.exitCode = 1
}
