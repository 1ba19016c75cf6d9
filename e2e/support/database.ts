import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Docket } from '#e2e/support/docket-server.ts'

const query = `
  import { Client } from 'pg'
  const [host, port, sql] = process.argv.slice(1)
  const client = new Client({ host, port: Number(port), user: 'docket', database: 'postgres' })
  await client.connect()
  await client.query(sql)
  await client.end()`

/** Runs SQL in the embedded database of a running Docket, for what no request can bring about. */
export const runSql = async ({ dataDir }: Docket, sql: string): Promise<void> => {
  const [, , , port = '', host = ''] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  const cwd = join(import.meta.dirname, '..', '..', 'apps', 'bff')
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', query, host, port, sql], { cwd })
}
