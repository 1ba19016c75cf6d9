import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { appCode, secretBytes } from '#people/accounts/second-factor/testing/authenticator-app.ts'
import { browser, goodPassword } from '#people/accounts/testing/browser.ts'
import { testSecret } from '#testing/instance.ts'
import { launch, readAddresses } from '#testing/launch.ts'

// `node make-dump.ts <tree> <DATABASE_URL>`: plays a little of everything with the Docket in `tree`, an installed
// checkout of an earlier commit, on an empty database, and prints the database as SQL. `pg_dump` must fit the server.

const [tree, databaseUrl] = process.argv.slice(2)
if (tree === undefined || databaseUrl === undefined) throw new Error('Usage: node make-dump.ts <tree> <DATABASE_URL>')

const folder = await mkdtemp(join(tmpdir(), 'docket-dump-'))
const site = join(folder, 'site')
await mkdir(site)
await writeFile(join(site, 'index.md'), '# Welcome\n\nA page about teh weather.\n')
const docket = launch(process.execPath, [join(tree, 'apps', 'bff', 'src', 'main.ts')], {
  env: {
    HOME: folder,
    PORT: '0',
    LOG_LEVEL: 'warn',
    SHUTDOWN_DRAIN_MS: '0',
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(folder, 'data'),
    AUTH_SECRET: testSecret,
    SETUP_ADMIN_EMAIL: 'grace@example.com',
    SETUP_ADMIN_PASSWORD: goodPassword,
    LOCAL_ADMIN_API: 'true',
    LOCAL_SITES: `docs.example.com=${site}`,
    AGENT_JOB_CREATION: 'true',
  },
})
process.once('exit', () => void docket.stop('SIGKILL'))
const { plainUrl: address } = await readAddresses(docket)

const { send, signIn } = browser(address)
const ask = async (method: string, path: string, body?: unknown) => {
  const response = await send(method, path, body)
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
}
/** Earlier versions lack some routes. */
const askIfThere = (method: string, path: string, body: unknown) =>
  ask(method, path, body).catch((error: unknown) => process.stderr.write(`${String(error)}\n`))
const until = async (path: string, holds: (body: string) => boolean) => {
  while (!holds(JSON.stringify(await ask('GET', path)))) await new Promise((resolve) => setTimeout(resolve, 300))
}

await signIn('grace@example.com')
const { secret } = await ask('POST', '/api/account/second-factor/begin', { password: goodPassword })
await ask('POST', '/api/account/second-factor/confirm', {
  code: appCode(secretBytes(String(secret))!),
})
await ask('POST', '/api/tokens', {
  name: 'nightly',
  scope: 'operate',
  domains: null,
  projectIds: null,
  expiresInDays: 30,
})
for (const n of [1, 2]) {
  await ask('POST', '/api/static-exports', {
    requestId: `00000000-0000-4000-8000-00000000000${n}`,
    domain: 'docs.example.com',
  })
  await until('/api/static-exports', (body) => body.split('"state":"completed"').length > n)
}
const job = { requestId: '00000000-0000-4000-8000-000000000003', projectId: 'docs' }
await ask('POST', '/api/agent-prompts', { ...job, maintenance: { action: 'fix_typos' } }).catch(() =>
  ask('POST', '/api/agent-prompts', { ...job, prompt: 'Fix typos' }),
)
await until('/api/agent-jobs', (body) => body.includes('"finishedAt":"') || body.includes('"prLink":"http'))
await askIfThere('POST', '/api/connections', {
  name: 'Handbook',
  baseUrl: 'https://handbook.example.com',
  key: { value: 'no-key' },
})
await askIfThere('POST', '/api/views', { list: 'exports', name: 'Failures', query: 'group=failed' })
// Waits for work after a change, such as sealing the audit and copying a bundle.
await new Promise((resolve) => setTimeout(resolve, 5_000))
await docket.stop()
const { stdout } = await promisify(execFile)(
  'pg_dump',
  ['--no-owner', '--no-privileges', '--inserts', '--exclude-table-data=web_files', '-d', databaseUrl],
  { maxBuffer: 2 ** 26 },
)
await rm(folder, { recursive: true })
process.stdout.write(`-- second factor: ${String(secret)}\n${stdout.replaceAll(/^(?:--.*|\\.*)?\n/gm, '')}`)
