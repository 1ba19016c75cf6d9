import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openDatabase, type OpenDatabaseOptions } from '#ground/db/open.ts'

/** Opens a database and closes it when the test ends; `lines` is what went to the log. */
export const open = async (options: Partial<OpenDatabaseOptions>) => {
  const lines: string[] = []
  const note = (message: string): void => void lines.push(message)
  const log = { debug: () => {}, warn: note, error: note }
  const opened = await openDatabase({ dataDir: '/nonexistent', log, ...options }).catch((error: unknown) => {
    throw Object.assign(error as Error, { lines })
  })
  onTestFinished(opened.close)
  return { ...opened, lines }
}

/** A data folder that is removed with the test. */
export const freshDataDir = async (): Promise<string> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'docket-db-test-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  return dataDir
}
