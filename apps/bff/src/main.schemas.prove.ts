import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartedStaticExport, StaticExport, StaticExportList } from '@docket/api-types/static-exports'
import { AgentJob, AgentJobList } from '@docket/api-types/agent-jobs'
import { SentAgentPrompt } from '@docket/api-types/agent-prompts'
import { CreatedApiToken } from '@docket/api-types/tokens'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '#testing/database.ts'
import { killDockets, startDocket } from '#testing/docket-process.ts'
import { testSecret } from '#testing/instance.ts'
import { docketProgram, launch } from '#testing/launch.ts'

const database = await testDatabase({ empty: true })
const folder = await mkdtemp(join(tmpdir(), 'docket-schemas-'))
const site = join(folder, 'site')
await mkdir(site)
await writeFile(join(site, 'index.md'), '# Docket\n\nA page about Docket.\n')
// May make schemas, and neither sees nor makes anything in `public`.
const role = `schemas_${process.pid}`
const name = new URL(database.url).pathname.slice(1)
await database.db.execute(
  sql.raw(`create role ${role} login; grant create on database ${name} to ${role};
  revoke all on schema public from public`),
)
afterAll(async () => {
  killDockets()
  await database.db.execute(sql.raw(`drop owned by ${role} cascade; drop role ${role}`))
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const limited = new URL(database.url)
limited.username = role

/** Settings of the Docket of a schema. That of `public` has none for it, as before there was one. */
const toVariables = (schema: string): Record<string, string> => ({
  DATA_DIR: join(folder, schema),
  LOCAL_SITES: `docs.localhost=${site}`,
  ...(schema === 'public' ? { DATABASE_URL: database.url } : { DATABASE_URL: limited.href, DATABASE_SCHEMA: schema }),
})

const run = (variables: Record<string, string>, ...args: string[]) =>
  launch(process.execPath, [docketProgram, ...args], { env: { AUTH_SECRET: testSecret, ...variables } }).ended

type Server = ReturnType<typeof startDocket>

/** What a program with a token does, which is also in a backup. */
const use = (server: Server, token: string) => {
  const send = async (path: string, init: RequestInit = {}) =>
    fetch((await server.ready) + path, {
      ...init,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })
  const ask = async (path: string, init?: RequestInit): Promise<unknown> => {
    const response = await send(path, init)
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
  const post = (path: string, body: Record<string, unknown>) =>
    ask(path, { method: 'POST', body: JSON.stringify({ requestId: crypto.randomUUID(), ...body }) })
  return {
    send,
    /** An export and an agent job, until both have ended and the bundle is stored. Returns their ids. */
    work: async () => {
      const started = await post('/api/static-exports', { domain: 'https://docs.localhost/' })
      const { exportId } = StartedStaticExport.parse(started).export
      const maintenance = { action: 'replace', find: 'Docket', replacement: 'the product' }
      const { job } = SentAgentPrompt.parse(await post('/api/agent-prompts', { projectId: 'docs', maintenance }))
      const readExport = async () => StaticExport.parse(await ask(`/api/static-exports/${exportId}`))
      const readJob = async () => AgentJob.parse(await ask(`/api/agent-jobs/docs/${job!.id}`))
      await expect.poll(async () => (await readExport()).artifact?.state, { interval: 250 }).toBe('stored')
      await expect.poll(async () => (await readJob()).status, { interval: 250 }).toBe('completed')
      return [exportId, job!.id] as const
    },
    listIds: async () => [
      ...StaticExportList.parse(await ask('/api/static-exports')).items.map(({ exportId }) => exportId),
      ...AgentJobList.parse(await ask('/api/agent-jobs')).items.map(({ id }) => id),
    ],
  }
}

const makeToken = async (server: Server): Promise<string> => {
  const body = JSON.stringify({ name: 'CI', scope: 'operate', expiresInDays: null })
  return CreatedApiToken.parse(await (await server.fetch('/api/tokens', { method: 'POST', body })).json()).token
}

const isNew = expect.stringMatching(
  /^The schema \w+ is empty, so this is a new Docket; the one in the schema public stays/,
)
const readWarnings = ({ code, stderr }: { code: number | null; stderr: string }) => [
  ...(code === 0 ? [] : [`exit code ${code}`]),
  ...stderr
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { msg: string }).msg),
]

/** The schemas of a Docket, in the order of those of `public`. */
const family = (schema: string) => ['', '_embedded_service', '_pgboss', '_drizzle'].map((ending) => schema + ending)
const defaultFamily = ['public', 'embedded_service', 'pgboss', 'drizzle']

/** Whatever PostgreSQL keeps in the schemas, as text, with the names that the default schemas have. */
const describe = async (schemas: readonly string[]): Promise<string[]> => {
  const names = sql.raw(`array['${schemas.join("','")}']`)
  const rows = await database.db.transaction(async (tx) => {
    // Every name with its schema.
    await tx.execute(sql`set local search_path = ''`)
    const { rows } = await tx.execute<{ text: string }>(sql`
    with n as (select oid, nspname from pg_namespace where nspname = any(${names}))
    select pg_get_indexdef(c.oid) as text from pg_class c join n on n.oid = c.relnamespace where c.relkind in ('i', 'I')
    union all select table_schema || '.' || table_name || '.' || column_name || ' ' || udt_schema || '.' || udt_name || ' ' ||
      coalesce(column_default, '') || is_nullable || coalesce(generation_expression, '') from information_schema.columns where table_schema = any(${names})
    union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(f.oid) from pg_constraint f join n on n.oid = f.connamespace
    union all select pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = t.tgrelid join n on n.oid = c.relnamespace where not tgisinternal
    union all select pg_get_functiondef(p.oid) from pg_proc p join n on n.oid = p.pronamespace
    union all select 'migration ' || hash || ' ' || created_at from ${sql.raw(schemas[3]!)}.__drizzle_migrations
    union all select 'migration ' || hash || ' ' || created_at from ${sql.raw(schemas[3]!)}.embedded_service_migrations
    union all select 'queue ' || name || ' ' || policy from ${sql.raw(schemas[2]!)}.queue where name !~ '^docket-(agent|exports)-'`)
    return rows
  })
  const toDefault = (text: string) =>
    schemas.reduceRight(
      (text, name, index) =>
        // A value may be called `public` too.
        text.replaceAll(new RegExp(`"?\\b${name}\\b"?${index === 0 ? String.raw`(?=\.)` : ''}`, 'g'), `<${index}>`),
      text,
    )
  return rows.map(({ text }) => toDefault(text)).toSorted()
}

test('Dockets with schemas of their own share a database: each works, sees nothing of the others, and moves by backup', async () => {
  const start = async (schema: string) => {
    const server = startDocket(toVariables(schema))
    const token = await makeToken(server)
    return { schema, server, token, ...use(server, token) }
  }
  const first = await start('public')
  const all = [first, ...(await Promise.all(['dock_1', 'user'].map(start)))]
  const worked = await Promise.all(all.map(({ work }) => work()))
  for (const [index, { listIds }] of all.entries()) expect(await listIds()).toEqual(worked[index])

  // The same tables, functions, queues and records of migrations, and nothing refers to another schema.
  const expected = await describe(defaultFamily)
  for (const schema of ['dock_1', 'user']) expect(await describe(family(schema))).toEqual(expected)
  const { rows: found } = await database.db.execute<{ name: string }>(sql`select nspname as name from pg_namespace
    where nspname !~ '^pg_' and nspname <> 'information_schema' order by 1`)
  const names = [...defaultFamily, ...family('dock_1'), ...family('user')]
  expect(found.map(({ name }) => name)).toEqual(names.toSorted())

  const { stdout: checked } = await run(toVariables('user'), 'check-config', '--reach')
  expect(checked).toMatch(/in the schema user\.[^]*The tables are those of this version\./)

  // A restore asks whether a Docket of its own schemas is connected. The others keep running.
  const { rows: connected } = await database.db.execute<{ name: string }>(sql`select distinct application_name as name
    from pg_stat_activity where datname = current_database() and application_name like 'docket%'`)
  expect(connected.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['docket', 'docket in dock_1', 'docket in user']),
  )
  for (const [index, to] of ['dock_2', 'dock_3'].entries()) {
    const { schema: from, server, token } = all[index]!
    expect([from, readWarnings(await server.kill('SIGTERM'))]).toEqual([from, from === 'public' ? [] : [isNew]])
    const file = join(folder, `${from}.tar`)
    expect(await run(toVariables(from), 'backup', file)).toMatchObject({ code: 0, stderr: '' })
    const variables = { ...toVariables(to), DATA_DIR: join(folder, from) }
    expect(await run(variables, 'restore', file)).toMatchObject({ code: 0, stderr: '' })
    const after = startDocket(variables)
    const moved = use(after, token)
    expect(await moved.listIds()).toEqual(worked[index])
    expect((await moved.send(`/api/static-exports/${worked[index]![0]}/download`)).status).toBe(200)
    await moved.work()
    expect(await describe(family(to))).toEqual(expected)
    // A restore keeps the old store of the embedded service beside the new one.
    const otherWarnings = readWarnings(await after.kill('SIGTERM')).filter((line) => !/another store/.test(line))
    expect([to, otherWarnings]).toEqual([to, []])
  }
  const last = all[2]!
  expect(await last.listIds()).toEqual(worked[2])
  expect(readWarnings(await last.server.kill('SIGTERM'))).toEqual([isNew])
})
