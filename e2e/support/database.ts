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
  const { rows = [] } = await client.query(sql)
  console.log(JSON.stringify(rows))
  await client.end()`

/** Runs SQL in the embedded database of a running Docket, for what no request can bring about or ask for. Answers with the rows of a single query. */
export const runSql = async <Row>({ dataDir }: Docket, sql: string): Promise<Row[]> => {
  const [, , , port = '', host = ''] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  const cwd = join(import.meta.dirname, '..', '..', 'apps', 'bff')
  const args = ['--input-type=module', '-e', query, host, port, sql]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd })
  return JSON.parse(stdout) as Row[]
}
