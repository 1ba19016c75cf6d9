import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openPool } from '#apps/bff/src/ground/db/pool.ts'
import { plainEnvironment } from '#apps/bff/src/testing/launch.ts'

const root = join(import.meta.dirname, '..', '..')

/** The text of every file below a folder, by path. */
export const textsIn = (folder: string): [path: string, text: string][] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
    .map((path) => [path, readFileSync(path, 'latin1')])

const querying = async <T>(
  databaseUrl: string,
  work: (query: (text: string) => Promise<string[]>) => Promise<T>,
): Promise<T> => {
  const pool = openPool({ connectionString: databaseUrl, max: 1 }, { warn: () => {} })
  const query = async (text: string) => (await pool.query<{ found: string }>(text)).rows.map(({ found }) => found)
  return work(query).finally(() => pool.end())
}

/** Every row of every table that is Docket's, as JSON, by table. */
export const readRows = (databaseUrl: string): Promise<[table: string, text: string][]> =>
  querying(databaseUrl, async (query) => {
    const tables = await query(
      `select format('%I.%I', table_schema, table_name) found from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    )
    const found: [string, string][] = []
    for (const table of tables)
      found.push([table, (await query(`select to_jsonb(t)::text found from ${table} t`)).join('\n')])
    return found
  })

/** Ends every connection to a database but this one. */
export const cutConnections = (databaseUrl: string): Promise<unknown> =>
  querying(databaseUrl, (query) =>
    query(
      'select pg_terminate_backend(pid)::text found from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    ),
  )

/**
 * Builds the web app into a folder with these variables in the environment of the build. Throws when it cannot be
 * built.
 */
export const buildWebApp = async (folder: string, env: Record<string, string>): Promise<void> => {
  const vite = join(root, 'apps', 'web', 'node_modules', 'vite', 'bin', 'vite.js')
  const child = spawn(process.execPath, [vite, 'build', '--outDir', folder, '--logLevel', 'error'], {
    cwd: join(root, 'apps', 'web'),
    env: { ...plainEnvironment(), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error('the web app could not be built')
}
