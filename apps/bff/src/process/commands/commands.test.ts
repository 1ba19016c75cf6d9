import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '#testing/database.ts'
import { hasPgBouncer, startPgBouncer } from '#testing/pgbouncer.ts'
import type { Finding } from './check/finding.ts'
import { checkConfig } from './check-config.ts'
import type { Command } from './command.ts'
import { supportBundle } from './support-bundle.ts'
import { version } from './version.ts'
import { startProviderStandIn } from '#people/accounts/oidc/testing/provider-stand-in.ts'

const folder = await mkdtemp(join(tmpdir(), 'docket-commands-'))
const database = await testDatabase()
const empty = await testDatabase({ empty: true })
afterAll(async () => {
  await Promise.all([database.drop(), empty.drop()])
  await rm(folder, { recursive: true, force: true })
})

const call = async (command: Command, env: NodeJS.ProcessEnv, ...args: string[]) => {
  const printed: string[] = []
  const print = (line: string) => void printed.push(line)
  const code = await command({ args, env: { DATA_DIR: folder, ...env }, from: folder, usage: '', print, warn: print })
  return { code, text: printed.join('\n') }
}
const check = async (env: NodeJS.ProcessEnv, ...args: string[]) => {
  const { code, text } = await call(checkConfig, env, '--json', ...args)
  const findings = JSON.parse(text) as Finding[]
  const list = (level: Finding['level']) =>
    findings.flatMap((finding) => (finding.level === level ? finding.text : [])).join('\n')
  return { code, text, wrong: list('wrong'), unwise: list('unwise'), fine: list('fine') }
}

const docket = (...args: string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const script = join(import.meta.dirname, '..', '..', 'docket.ts')
    execFile(process.execPath, [script, ...args], (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    )
  })

test('docket lists its commands, explains a single one, and refuses unknown ones', async () => {
  const names = ['start', 'worker', 'backup', 'restore', 'admin-link', 'audit-verify', 'rotate-secret']
  const [list, unknown, help, refused] = await Promise.all([
    docket(),
    docket('toString'),
    docket('backup', '--help'),
    docket('start', 'now'),
  ])
  expect(list.code).toBe(0)
  for (const name of [...names, 'check-config', 'support-bundle', 'version'])
    expect(list.stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
  expect(unknown).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('no command') })
  expect(help.stdout).toMatch(/^Use: docket backup \[file\][^]*pnpm docket backup\n$/)
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Use: docket start \[--no-workers\]\n/) })
  expect((await call(version, {})).text).toMatch(/^Docket \d+\.\d+\.\d+.*\nNode v\d.*\nEmbedded PostgreSQL \d/)
})

test('check-config reports all errors and warnings at once, changes nothing and makes no connection', async () => {
  const key = join(folder, 'admin.key')
  await writeFile(key, 'prefix_0123456789')
  await chmod(key, 0o666)
  await chmod(folder, 0o755)
  const found = await check({
    PUBLIC_URL: 'https://docket.example.com',
    PREVIEW_URL: 'https://*.previews.example.com',
    HOSTING_URL: 'https://*.docs.example.com',
    DATABASE_URL: 'postgresql://docket:hunter2@192.0.2.1/docket',
    ADMIN_API_URL: 'https://api.example.com',
    ADMIN_API_KEY_FILE: key,
    ADMIN_API_KEYFILE: key,
    METRICS_PORT: '9464',
    METRICS_HOST: '0.0.0.0',
  })
  expect([found.code, found.wrong]).toEqual([0, ''])
  for (const name of [
    'TRUSTED_PROXIES',
    'AUTH_SECRET',
    'PREVIEW_URL',
    'HOSTING_URL',
    'METRICS_HOST',
    'ADMIN_API_KEYFILE is no setting',
  ])
    expect(found.unwise).toContain(name)
  expect(found.unwise).toMatch(/others can change .*admin\.key \(mode 0666\)/)
  expect(found.unwise).toMatch(/may enter .* \(mode 0755\)/)
  expect(found.fine).toContain('PostgreSQL at 192.0.2.1:5432/docket')
  expect(found.text).not.toMatch(/hunter2|0123456789/)
  const missing = await check({ TARGET_REPOSITORIES: join(folder, 'gone.git'), TARGET_REPOSITORY: 'x' })
  expect([missing.code, missing.wrong]).toEqual([1, expect.stringContaining('gone.git: Docket may not deliver')])
  expect(missing.unwise).toContain('TARGET_REPOSITORY is no setting')
  const within = await check({ TARGET_FOLDERS: folder, TARGET_REPOSITORIES: folder })
  expect(within.wrong).toMatch(/TARGET_REPOSITORIES: .* within each other/)
  const bad = await check({ PORT: 'x', HOST: '0.0.0.0', OIDC_NAME: 'x', DATA_DIR: join(key, 'data') })
  expect(bad.code).toBe(1)
  for (const name of ['PORT must', 'HOST lets', 'OIDC_ISSUER', 'is no folder']) expect(bad.wrong).toContain(name)
  await chmod(folder, 0o700)
  await chmod(key, 0o600)
  expect(await readdir(folder)).toEqual(['admin.key'])
})

test('check-config names the proxy of each service without its credentials, and refuses what is no proxy', async () => {
  const env = {
    https_proxy: 'http://babbage:s3cret-word@proxy.example.com:3128',
    NO_PROXY: 'login.example.com',
    ADMIN_API_URL: 'https://api.example.com',
    ADMIN_API_KEY: 'prefix_0123456789abcdef',
    OIDC_ISSUER: 'https://login.example.com',
    OIDC_CLIENT_ID: 'docket',
    OIDC_CLIENT_SECRET: '0123456789abcdef',
    OIDC_VIEWER_GROUP: '*',
    PUBLIC_URL: 'https://docket.example.com',
  }
  const found = await check(env)
  expect(found.wrong).toBe('')
  expect(found.fine).toContain('Proxy of the Admin API: http://proxy.example.com:3128.')
  expect(found.fine).toContain('Proxy of other https: http://proxy.example.com:3128.')
  expect(found.fine).not.toContain('Proxy of single sign-on')
  expect(found.text).not.toMatch(/babbage|s3cret/)
  for (const name of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY'])
    expect((await check({ [name]: 'socks5://babbage:s3cret-word@a.example' })).wrong).toMatch(
      /^HTTPS?_PROXY must be the http:\/\/ or https:\/\/ address of a proxy/,
    )
})

test('check-config --reach distinguishes a database of this version from an empty, a newer and an unreachable one', async () => {
  const reach = (url: string) => check({ DATABASE_URL: url }, '--reach')
  expect(await reach(database.url)).toMatchObject({ code: 0, fine: expect.stringContaining('those of this version') })
  expect(await reach(empty.url)).toMatchObject({
    code: 0,
    fine: expect.stringContaining('holds nothing of Docket yet'),
  })
  const { rows } = await empty.db.execute(sql`select tablename from pg_tables where schemaname = 'public'`)
  expect(rows).toEqual([])
  await database.db.execute(
    sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9999999999999)`,
  )
  expect(await reach(database.url)).toMatchObject({ code: 1, wrong: expect.stringContaining('a newer Docket') })
  await database.db.execute(sql`delete from drizzle.__drizzle_migrations where hash = 'later'`)
  expect(await reach('postgresql://docket@127.0.0.1:1/docket')).toMatchObject({
    code: 1,
    wrong: expect.stringContaining('127.0.0.1:1/docket cannot be used'),
  })
})

test('check-config --reach says that the database is read-only', async () => {
  const name = new URL(empty.url).pathname.slice(1)
  await empty.db.execute(sql.raw(`alter database ${name} set default_transaction_read_only = on`))
  onTestFinished(() => empty.db.execute(sql.raw(`alter database ${name} reset all`)).then(() => {}))
  expect(await check({ DATABASE_URL: empty.url }, '--reach')).toMatchObject({
    code: 1,
    wrong: expect.stringMatching(/cannot be used \(the database is read-only, /),
  })
})

test.skipIf(!hasPgBouncer)(
  'check-config --reach prints the commands that give a transaction pooler what Docket relies on',
  async () => {
    const pooler = await startPgBouncer(database.url, 'pool_mode = transaction')
    onTestFinished(pooler.close)
    const { unwise } = await check({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url }, '--reach')
    expect(unwise).toMatch(/alter role docket set statement_timeout = '15000';/)
  },
)

test('check-config --reach calls the Admin API and the sign-on provider once each', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(request.headers.authorization === 'Bearer right' ? 404 : 401, {
      'content-type': 'application/json',
    })
    response.end('{"error":"no"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const reach = (key: string, more = {}) => check({ ADMIN_API_URL: url, ADMIN_API_KEY: key, ...more }, '--reach')
  expect(await reach('right')).toMatchObject({ code: 0, fine: expect.stringContaining('accepts the key') })
  expect(asked).toHaveLength(1)
  const oidc = { OIDC_ISSUER: url, OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'y', OIDC_VIEWER_GROUP: '*' }
  const refused = await reach('wrong', oidc)
  expect(refused.code).toBe(1)
  expect(refused.wrong).toMatch(/The Admin API at [^]*Single sign-on: /)
  server.close()
})

test('check-config --reach says what the provider of single sign-on offers, and what its groups need', async () => {
  const provider = await startProviderStandIn()
  provider.state.signsOut = false
  const { code, unwise, fine } = await check(
    {
      OIDC_ISSUER: provider.issuer.href,
      OIDC_CLIENT_ID: 'x',
      OIDC_CLIENT_SECRET: 'y',
      OIDC_VIEWER_GROUP: '*',
      OIDC_SIGN_OUT: 'true',
      OIDC_RECHECK_MINUTES: '15',
    },
    '--reach',
  )
  await provider.close()
  expect(code).toBe(0)
  expect(unwise).toMatch(/add it to OIDC_SCOPES\.[^]*publishes no address to sign out at[^]*scope “offline_access”/)
  expect(fine).toMatch(/groups from the claim groups[^]*register PUBLIC_URL \+ \/api\/auth\/oidc\/backchannel-logout/)
})

const read = (file: string) => gunzipSync(readFileSync(join(folder, file))).toString('latin1')

test('a support bundle contains facts about the database and no secret, wherever secrets are configured', async () => {
  const canary = (name: string) => `canary+${name}/${'Zq7'.repeat(8)}?&=`
  const secrets = {
    ADMIN_API_KEY: canary('admin').replaceAll(/\s/g, ''),
    AUTH_SECRET: canary('auth'),
    ARTIFACT_S3_ACCESS_KEY_ID: canary('s3id'),
    ARTIFACT_S3_SECRET_ACCESS_KEY: canary('s3'),
    OIDC_CLIENT_SECRET: canary('oidc'),
    LOCAL_CODE_HOST_TOKEN: canary('host'),
    SETUP_ADMIN_PASSWORD: canary('password'),
  }
  const inDatabase = canary('database')
  const env = {
    ...secrets,
    SETUP_ADMIN_EMAIL: 'canary@example.com',
    ADMIN_API_URL: 'https://api.example.com',
    ARTIFACT_S3_BUCKET: 'bundles',
    OIDC_ISSUER: 'https://login.example.com',
    OIDC_CLIENT_ID: 'docket',
    OIDC_VIEWER_GROUP: '*',
    LOCAL_CODE_HOST: 'github',
    DATABASE_URL: database.url.replace('@', `:${encodeURIComponent(canary('url'))}@`),
    // Pasted into the wrong setting.
    OIDC_NAME: secrets.ADMIN_API_KEY,
    OIDC_GROUPS_CLAIM: Buffer.from(secrets.AUTH_SECRET).toString('base64'),
    AGENT_PULL_REQUEST_TITLE: `{title} ${encodeURIComponent(secrets.OIDC_CLIENT_SECRET)} ${canary('url')}`,
    NODE_OPTIONS: `--title=https://s3.example.com/x?X-Amz-Signature=canary`,
  }
  await database.db.execute(sql`
    insert into connections (name, kind, source, base_url, sealed_key, deployment_kind, calls_per_hour, timeout_ms, agent_job_creation)
      values (${inDatabase}, 'service', 'settings', 'https://second.example.com', ${inDatabase}, 'cloud', 1, 1000, false)`)
  await database.db.execute(sql`
    insert into audit_events (at, actor_kind, actor_name, address, action, outcome, target_name, details)
      values (now(), 'person', ${inDatabase}, ${inDatabase}, 'user.renamed', 'ok', ${inDatabase}, ${JSON.stringify({ link: inDatabase })}::jsonb)`)
  await database.db.execute(sql`
    insert into static_exports (export_id, domain, state, started_at, reason, next_check_at)
      values (gen_random_uuid(), 'docs.example.com', 'failed', now(), ${inDatabase}, null)`)
  const { code } = await call(supportBundle, env, 'support.tar.gz')
  const text = read('support.tar.gz')
  expect(code).toBe(0)
  expect(text).toMatch(/ADMIN_API_KEY: set\n/)
  expect(text).toContain('https://second.example.com')
  expect(text).toMatch(/"action": "user.renamed",\s+"outcome": "ok",\s+"count": 1/)
  expect(text).toMatch(/"state": "failed",\s+"count": 1,\s+"last_7_days": 1/)
  expect(text).toMatch(/"table": "static_exports",\s+"found": \[\s+\{\s+"rows": 1,/)
  expect(text).not.toContain('"failed": "')
  expect(text).not.toMatch(/canary/i)
  for (const secret of [...Object.values(secrets), inDatabase, canary('url')])
    for (const spelling of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').slice(0, -4)])
      expect(text).not.toContain(spelling)
  expect((await stat(join(folder, 'support.tar.gz'))).mode & 0o777).toBe(0o600)
})

test('a support bundle overwrites no file, is written completely or not at all, and works with a broken configuration', async () => {
  await expect(call(supportBundle, {}, 'admin.key')).rejects.toThrow('exists already')
  await expect(call(supportBundle, {}, 'admin.key/x.tar.gz')).rejects.toThrow()
  expect((await call(supportBundle, { PORT: 'x', OIDC_NAME: 'y' }, 'broken.tar.gz')).code).toBe(0)
  expect(read('broken.tar.gz')).toContain('PORT must be a whole number')
  expect((await readdir(folder)).filter((name) => name.includes('unfinished'))).toEqual([])
})
