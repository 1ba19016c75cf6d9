import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { inspect } from 'node:util'
import { localhostCertificate } from '@docket/code-hosts/testing/certificate'
import { afterAll, expect, test } from 'vitest'
import { readServiceSettings } from '#ground/config/config.ts'
import { environment } from './environment.ts'
import { printConfiguration, readConfig } from './config.ts'
import { findBlockedPort } from './values.ts'
import { listSecretVariables } from './variable.ts'

const folder = await mkdtemp(join(tmpdir(), 'docket-config-'))
afterAll(() => rm(folder, { recursive: true }))

const fileWith = async (content: string) => {
  const file = join(folder, `secret-${Math.random()}`)
  await writeFile(file, content)
  return file
}
const upstream = { ADMIN_API_URL: 'https://api.example.com/base', ADMIN_API_KEY: 'prefix_0123456789abcdef' }
const listMistakes = (variables: Record<string, string>) =>
  readConfig(variables).then(
    () => '',
    (error: unknown) => (error instanceof Error ? error.message : ''),
  )

test('an empty environment is a working installation on local data', async () => {
  expect(await readConfig({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    dataDir: resolve('data'),
    databaseUrl: null,
    adminApi: null,
    bundleDelivery: 'stream',
    deploymentKind: 'cloud',
    logLevel: 'warn',
  })
})

test('bundle hosts may have a port and are normalised to one notation', async () => {
  const hosts = async (text: string) => (await readConfig({ BUNDLE_HOSTS: text })).bundleHosts
  expect(await hosts('Storage.example.com, *.example.com:8443, 10.0.0.5:9000, [FD00:0::1]:9000, [::1]')).toEqual([
    'storage.example.com',
    '*.example.com:8443',
    '10.0.0.5:9000',
    '[fd00::1]:9000',
    '[::1]',
  ])
  for (const wrong of [
    'https://a.example',
    'a.example/x',
    'a.example:',
    'a.example:0',
    'a.example:65536',
    'a.example:80:80',
    ':443',
    'fd00::1',
    '[fd00::1',
    '[fe80::1%eth0]',
    '[a.example]',
    'a.*.example',
    '*',
  ])
    expect([wrong, await listMistakes({ BUNDLE_HOSTS: wrong })]).toEqual([
      wrong,
      expect.stringContaining('BUNDLE_HOSTS must be hosts'),
    ])
})

test('by default, a connected service may be called once a second and the embedded one ten times', async () => {
  const readCalls = async (variables: Record<string, string>, embedded: boolean) =>
    readServiceSettings(await readConfig(variables), { embedded }).callsPerHour
  expect([await readCalls(upstream, true), await readCalls(upstream, false)]).toEqual([36_000, 3600])
  expect(await readCalls({ ADMIN_API_CALLS_PER_HOUR: '0' }, true)).toBe(0)
  expect(await listMistakes({ ADMIN_API_CALLS_PER_HOUR: '-1' })).toMatch(
    /ADMIN_API_CALLS_PER_HOUR must be a whole number/,
  )
})

test('agent jobs are on by default for a local service that is not strict, and off for other services', async () => {
  const creates = async (variables: Record<string, string>) =>
    readServiceSettings(await readConfig(variables), { embedded: !('ADMIN_API_URL' in variables) }).agentJobCreation
  expect(await creates({})).toBe(true)
  expect(await creates({ LOCAL_ADMIN_API_STRICT: 'true' })).toBe(false)
  expect(await creates(upstream)).toBe(false)
  expect(await creates({ AGENT_JOB_CREATION: 'false' })).toBe(false)
  expect(await creates({ ...upstream, AGENT_JOB_CREATION: 'true' })).toBe(true)
  const both = { AGENT_JOB_CREATION: 'true', LOCAL_ADMIN_API_STRICT: 'true' }
  expect(await listMistakes(both)).toMatch(/AGENT_JOB_CREATION cannot be true with LOCAL_ADMIN_API_STRICT/)
  expect(await creates({ ...upstream, ...both })).toBe(true)
})

test('an empty variable counts as not set', async () => {
  expect(await readConfig({ PORT: '', ADMIN_API_URL: ' ', DATABASE_URL: '' })).toEqual(await readConfig({}))
})

test('keys come from the environment or files, and printing the parsed configuration reveals no secret', async () => {
  const config = await readConfig({
    ...upstream,
    DATABASE_URL: 'postgresql://docket:hunter2@db.example.com/docket',
    ADMIN_API_READ_KEY_FILE: await fileWith('prefix_fedcba9876543210\n'),
    ADMIN_API_KEY_PREFIX: 'prefix',
  })
  expect(await config.adminApi?.key()).toBe('prefix_0123456789abcdef')
  expect(await config.adminApi?.readKey?.()).toBe('prefix_fedcba9876543210')
  const output = inspect(config, { depth: null, showHidden: true, getters: true }) + JSON.stringify(config)
  expect(output).not.toMatch(/0123456789abcdef|fedcba9876543210|hunter2/)
})

test('the database address can be read from a file', async () => {
  const address = 'postgresql://docket:hunter2@db.example.com/docket'
  expect((await readConfig({ DATABASE_URL_FILE: await fileWith(`${address}\n`) })).databaseUrl?.()).toBe(address)
})

test.each([
  ['90', { staticExports: 90, agentJobs: 90 }],
  ['agent-jobs=30', { staticExports: 365, agentJobs: 30 }],
  [' static-exports = 7 , agent-jobs=1,', { staticExports: 7, agentJobs: 1 }],
])('history retention is one number of days, or one for each kind of record: %j', async (days, expected) => {
  expect((await readConfig({ HISTORY_RETENTION_DAYS: days })).historyRetentionDays).toEqual(expected)
})

test.each([
  '0',
  '-1',
  '1.5',
  'x',
  'bundles=3',
  'agent-jobs',
  'agent-jobs=',
  'agent-jobs=1,agent-jobs=2',
  '7,8',
  '99999',
  ',',
])('an ambiguous retention is refused: %j', async (days) => {
  expect(await listMistakes({ HISTORY_RETENTION_DAYS: days })).toContain('HISTORY_RETENTION_DAYS must be')
})

test('sites are domains with folders that exist, separated by commas or lines', async () => {
  const config = await readConfig({ LOCAL_SITES: `docs.example.com=${folder}\n handbook.example.com = ${folder},` })
  expect(config.local.sites).toEqual({ 'docs.example.com': folder, 'handbook.example.com': folder })
})

test('the Markdown of a folder or repository may be asked for, whatever its tool is', async () => {
  const git = 'git+https://git.example.com/docs.git#main'
  const { local } = await readConfig({ LOCAL_SITES: `a.example.com=render=${folder},b.example.com=render=${git}` })
  expect(local.sites).toEqual({ 'a.example.com': `render=${folder}`, 'b.example.com': `render=${git}` })
})

test('sites and projects may be git repositories, and sites addresses to mirror', async () => {
  const { local } = await readConfig({
    LOCAL_SITES: 'a.example.com=git+https://git.example.com/a.git#main:docs, b.example.com=https://docs.example.com/',
    LOCAL_PROJECTS: 'a=git+file:///srv/a.git',
  })
  expect(local.sites).toEqual({
    'a.example.com': 'git+https://git.example.com/a.git#main:docs',
    'b.example.com': 'https://docs.example.com/',
  })
  expect(local.projects).toEqual({ a: 'git+file:///srv/a.git' })
})

test('sites may be built ones: a folder, an archive with its checksum, or a git branch', async () => {
  const sites = {
    'a.example.com': `built=${folder}`,
    'b.example.com': `built=https://ci.example.com/site.tar.gz#sha256=${'0'.repeat(64)}`,
    'c.example.com': 'built=git+https://git.example.com/c.git#gh-pages',
  }
  const { local } = await readConfig({
    LOCAL_SITES: Object.entries(sites)
      .map((pair) => pair.join('='))
      .join(','),
  })
  expect(local.sites).toEqual(sites)
})

test.each([
  [{ LOCAL_SITES: 'a.example.com=built=/no/such/site.zip' }, 'LOCAL_SITES names an archive that does not exist'],
  [
    { LOCAL_SITES: 'a.example.com=built=https://ci.example.com/a.zip' },
    'LOCAL_SITES names an archive without its #sha256=…',
  ],
  [{ LOCAL_PROJECTS: `a=built=${folder}` }, 'LOCAL_PROJECTS names a built site'],
  [{ LOCAL_SITES: 'a.example.com=git+http://git.example.com/a.git' }, 'LOCAL_SITES names a repository'],
  [{ LOCAL_SITES: 'a.example.com=git+https://me:hunter2@git.example.com/a.git' }, 'LOCAL_SITES names a repository'],
  [{ LOCAL_SITES: 'a.example.com=git+https://169.254.169.254/a.git' }, 'LOCAL_SITES names a repository'],
  [{ LOCAL_SITES: 'a.example.com=http://docs.example.com' }, 'LOCAL_SITES names a site to mirror'],
  [{ LOCAL_SITES: 'a.example.com=render=https://docs.example.com/' }, 'LOCAL_SITES names a web page'],
  [{ LOCAL_SITES: 'a.example.com=render=' }, 'LOCAL_SITES must be pairs'],
  [{ LOCAL_PROJECTS: 'a=https://docs.example.com' }, 'LOCAL_PROJECTS names a web page'],
  [{ LOCAL_PROJECTS: `sentinel=${folder}` }, 'LOCAL_PROJECTS must be pairs'],
  [{ LOCAL_S3_BUCKET: 'b' }, 'LOCAL_S3_ACCESS_KEY_ID is needed with LOCAL_S3_BUCKET'],
  [{ LOCAL_S3_ENDPOINT: 'https://s3.example.com' }, 'LOCAL_S3_ENDPOINT is set without LOCAL_S3_BUCKET'],
  [{ ARTIFACT_S3_ENDPOINT: 'https://169.254.169.254' }, 'ARTIFACT_S3_ENDPOINT must be an https:// address'],
  [{ BACKUP_S3_ENDPOINT: 'https://2852039166' }, 'BACKUP_S3_ENDPOINT must be an https:// address'],
  [{ LOCAL_S3_ENDPOINT: 'https://[fd00:ec2::254]' }, 'LOCAL_S3_ENDPOINT must be an https:// address'],
  [{ LOCAL_CODE_HOST_URL: 'https://metadata.google.internal' }, 'LOCAL_CODE_HOST_URL must be an https:// address'],
  [{ LOCAL_CODE_HOST: 'gitea', LOCAL_CODE_HOST_TOKEN: 't' }, 'LOCAL_CODE_HOST_URL is needed'],
  [{ LOCAL_CODE_HOST: 'svn' }, 'LOCAL_CODE_HOST must be one of'],
  [{ LOCAL_CODE_HOST_TOKEN: 't' }, 'LOCAL_CODE_HOST_TOKEN is set without LOCAL_CODE_HOST'],
  [{ AGENT_COMMAND_NETWORK: 'perhaps', AGENT_COMMAND: 'x' }, 'AGENT_COMMAND_NETWORK must be true or false'],
  [
    { AGENT_COMMAND_NETWORK: 'true', AGENT_COMMAND: 'x' },
    'list the hosts that the command needs in AGENT_COMMAND_HOSTS',
  ],
  [{ AGENT_COMMAND_HOSTS: 'https://a.example.com', AGENT_COMMAND: 'x' }, 'AGENT_COMMAND_HOSTS must be hosts'],
  [{ AGENT_COMMAND_HOSTS: '*.example.com', AGENT_COMMAND: 'x' }, 'AGENT_COMMAND_HOSTS must be hosts'],
  [{ PICTURE_BROWSER: '/etc/passwd' }, 'PICTURE_BROWSER must name a program that Docket may run'],
  [{ PICTURE_BROWSER: '/no/such/browser' }, 'PICTURE_BROWSER must name a file'],
  [{ AGENT_COMMAND_HOSTS: 'a.example.com' }, 'AGENT_COMMAND_HOSTS is set without AGENT_COMMAND'],
  [{ AGENT_COMMAND_ENV_FILE: '/nowhere', AGENT_COMMAND: 'x' }, 'AGENT_COMMAND_ENV_FILE must name a file'],
  [{ AGENT_JOB_MAX_COST: '-1', AGENT_COMMAND: 'x' }, 'AGENT_JOB_MAX_COST must be an amount of US dollars'],
])('settings of the local Admin API that cannot work are refused: %j', async (variables, mistake) => {
  const message = await listMistakes(variables)
  expect(message).toContain(mistake)
  expect(message).not.toContain('hunter2')
})

test('allowed hosts of a command have port 443 by default', async () => {
  const hosts = 'API.example.com, model.internal:8080,127.0.0.1:1,[fd00::1]:11434,[::1]'
  const { local } = await readConfig({ AGENT_COMMAND: 'x', AGENT_COMMAND_HOSTS: hosts, AGENT_JOB_MAX_COST: '2.50' })
  expect(local.agent.hosts?.map(({ host, port }) => `${host} ${port}`)).toEqual([
    'api.example.com 443',
    'model.internal 8080',
    '127.0.0.1 1',
    'fd00::1 11434',
    '::1 443',
  ])
  expect(local.agent.maxCostUsd).toBe(2.5)
})

test('printing the parsed configuration reveals no secret of the local Admin API', async () => {
  const config = await readConfig({
    LOCAL_S3_BUCKET: 'bundles',
    LOCAL_S3_ENDPOINT: 'https://s3.internal:9000',
    LOCAL_S3_ACCESS_KEY_ID: 'docket',
    LOCAL_S3_SECRET_ACCESS_KEY_FILE: await fileWith('hunter2'),
    LOCAL_CODE_HOST: 'github',
    LOCAL_CODE_HOST_TOKEN: 'hunter3',
  })
  expect([
    config.local.store?.kind === 's3' && config.local.store.secretAccessKey(),
    config.local.codeHosts.map((host) => 'token' in host && host.token()),
  ]).toEqual(['hunter2', ['hunter3']])
  expect(readServiceSettings(config, { embedded: true }).bundleHosts).toEqual(['s3.internal:9000'])
  expect(inspect(config, { depth: null, showHidden: true, getters: true })).not.toMatch(/hunter/)
})

test('the bundles of the local Admin API are in its own folder, or in the store that the settings choose', async () => {
  const bucket = (name: 'ARTIFACT' | 'LOCAL') => ({
    [`${name}_S3_BUCKET`]: name.toLowerCase(),
    [`${name}_S3_ACCESS_KEY_ID`]: 'docket',
    [`${name}_S3_SECRET_ACCESS_KEY`]: 'secret',
  })
  const readStore = async (variables: Record<string, string>) => (await readConfig(variables)).local.store
  expect(await readStore({})).toBeNull()
  expect(await readStore({ ARTIFACT_STORE_DIR: '/mnt/bundles' })).toEqual({
    kind: 'disk',
    folder: '/mnt/bundles/embedded',
    prefix: '',
  })
  expect(await readStore(bucket('ARTIFACT'))).toMatchObject({ kind: 's3', bucket: 'artifact', prefix: 'embedded/' })
  const both = { ...bucket('ARTIFACT'), ...bucket('LOCAL') }
  expect(await readStore(both)).toMatchObject({ kind: 's3', bucket: 'local', prefix: '' })
})

test('one message names every invalid variable and repeats no value', async () => {
  const message = await listMistakes({
    PORT: '99999',
    HOST: 'everywhere',
    PUBLIC_URL: 'https://docket.example.com/path-of-mine',
    DATABASE_URL: 'mysql://docket:hunter2@db.example.com/docket',
    ADMIN_API_URL: 'http://api.example.com',
    ADMIN_API_KEY: 'wrong_hunter3-hunter3',
    ADMIN_API_KEY_PREFIX: 'prefix',
    ADMIN_API_TIMEOUT_MS: '5s',
    BUNDLE_DELIVERY: 'carrier pigeon',
    BUNDLE_HOSTS: 'https://storage.example.com',
    DEPLOYMENT_KIND: 'submarine',
    LOCAL_SITES: 'docs.example.com=/no/such/folder',
    LOG_LEVEL: 'loud',
  })
  for (const name of Object.keys({
    PORT: 0,
    HOST: 0,
    PUBLIC_URL: 0,
    DATABASE_URL: 0,
    ADMIN_API_URL: 0,
    ADMIN_API_KEY: 0,
    ADMIN_API_TIMEOUT_MS: 0,
    BUNDLE_DELIVERY: 0,
    BUNDLE_HOSTS: 0,
    DEPLOYMENT_KIND: 0,
    LOCAL_SITES: 0,
    LOG_LEVEL: 0,
  }))
    expect(message).toMatch(new RegExp(`^  - ${name} .*\\.$`, 'm'))
  expect(message.match(/^ {2}- /gm)).toHaveLength(12)
  expect(message).not.toMatch(/hunter/)
})

test.for([
  [{ ADMIN_API_URL: upstream.ADMIN_API_URL }, /ADMIN_API_URL is set without a key/],
  [{ ADMIN_API_KEY: upstream.ADMIN_API_KEY }, /ADMIN_API_KEY is set without ADMIN_API_URL/],
  [{ ADMIN_API_READ_KEY: upstream.ADMIN_API_KEY }, /ADMIN_API_READ_KEY is set without ADMIN_API_URL/],
  [{ ...upstream, ADMIN_API_KEY_FILE: '/no/such/file' }, /ADMIN_API_KEY and ADMIN_API_KEY_FILE are both set/],
  [{ ADMIN_API_URL: upstream.ADMIN_API_URL, ADMIN_API_KEY_FILE: '/no/such/file' }, /ADMIN_API_KEY_FILE cannot be read/],
  [{ DATABASE_URL_FILE: '/no/such/file' }, /DATABASE_URL_FILE must name a file/],
  [{ ...upstream, ADMIN_API_KEY_PREFIX: 'other' }, /ADMIN_API_KEY does not hold an admin key/],
] as const)(
  'an incomplete configuration is refused instead of starting on sample data: %#',
  async ([variables, reason]) => {
    expect(await listMistakes(variables)).toMatch(reason)
  },
)

test.for(['0.0.0.0', '::', '192.168.1.2', '::ffff:10.0.0.1'])(
  'Docket listens on %s only if a proxy provides https',
  async (HOST) => {
    for (const PUBLIC_URL of ['', 'http://localhost:3000'])
      expect(await listMistakes({ HOST, PUBLIC_URL })).toMatch(/HOST lets other machines in.*https/)
    expect(await readConfig({ HOST, PUBLIC_URL: 'https://docket.example.com' })).toMatchObject({ host: HOST })
  },
)

test.for(['docket.example.com', '127.0.0.1:80', '[::1]', '0', '256.1.1.1', 'localhost.example'])(
  '%s is refused as an address to listen on',
  async (HOST) => {
    const PUBLIC_URL = 'https://docket.example.com'
    expect(await listMistakes({ HOST, PUBLIC_URL })).toMatch(/^ {2}- HOST must be an address of this machine/m)
    expect(await listMistakes({ METRICS_HOST: HOST })).toMatch(
      /^ {2}- METRICS_HOST must be an address of this machine/m,
    )
  },
)

test('the public address must be https, or an address of this machine', async () => {
  expect(await listMistakes({ PUBLIC_URL: 'http://docket.example.com' })).toMatch(/PUBLIC_URL must begin with https/)
  for (const PUBLIC_URL of [
    'http://localhost:8080',
    'http://127.0.0.1',
    'http://[::1]:3000',
    'https://docket.example.com',
  ])
    expect((await readConfig({ PUBLIC_URL })).publicUrl?.href).toBe(`${PUBLIC_URL}/`)
})

test.for(['1', '25', '4190', '6000', '6667', '10080'])(
  'an address that no browser opens, because it blocks port %s, is refused in a sentence',
  async (port) => {
    const sentence = (name: string) => new RegExp(`^  - ${name} names port ${port}, which browsers refuse to open`, 'm')
    // Node has the same list.
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toMatchObject({ cause: { message: 'bad port' } })
    expect(await listMistakes({ PORT: port })).toMatch(sentence('PORT'))
    expect(await listMistakes({ LOCAL_ADMIN_API_PORT: port })).toMatch(sentence('LOCAL_ADMIN_API_PORT'))
    for (const PUBLIC_URL of [`https://docket.example.com:${port}`, `http://localhost:${port}`])
      expect(await listMistakes({ PUBLIC_URL })).toMatch(sentence('PUBLIC_URL'))
    for (const name of ['PREVIEW_URL', 'HOSTING_URL'])
      expect(await listMistakes({ [name]: `https://*.docs.example:${port}` })).toMatch(sentence(name))
    expect((await readConfig({ PORT: port, PUBLIC_URL: 'https://docket.example.com' })).port).toBe(Number(port))
  },
)

test('the ports that Docket refuses are those that browsers block', () => {
  const { badPorts } = createRequire(import.meta.resolve('undici'))('undici/lib/web/fetch/constants.js') as {
    badPorts: readonly string[]
  }
  const ports = Array.from({ length: 65_536 }, (_, port) => String(port))
  expect(ports.filter((port) => findBlockedPort(port) !== undefined)).toEqual([...badPorts])
})

test('metrics listen only on this machine unless METRICS_HOST is set, whatever HOST is', async () => {
  const open = { HOST: '0.0.0.0', PUBLIC_URL: 'https://docket.example.com', METRICS_PORT: '9464' }
  expect(await readConfig(open)).toMatchObject({ metricsHost: '127.0.0.1' })
  expect(await readConfig({ ...open, METRICS_HOST: '10.0.0.7' })).toMatchObject({ metricsHost: '10.0.0.7' })
})

test('trusted proxies are addresses and networks, and a network of all addresses is refused', async () => {
  expect((await readConfig({})).trustedProxies).toEqual([])
  expect((await readConfig({ TRUSTED_PROXIES: '10.0.0.5, fd00::/8\n192.0.2.0/24,' })).trustedProxies).toHaveLength(3)
  for (const TRUSTED_PROXIES of [
    '0.0.0.0/0',
    '::/0',
    'proxy.example.com',
    '10.0.0.5 10.0.0.6',
    '10.0.0.0/33',
    '10.0.0.5,x',
  ])
    expect(await listMistakes({ TRUSTED_PROXIES })).toMatch(/TRUSTED_PROXIES must be addresses or networks/)
})

test.each(['ARTIFACT', 'LOCAL', 'BACKUP'])('%s_S3_CREDENTIALS=role takes the place of keys', async (name) => {
  const bucket = { [`${name}_S3_BUCKET`]: 'docket' }
  const role = { [`${name}_S3_CREDENTIALS`]: 'role' }
  expect(await listMistakes({ ...bucket, ...role })).not.toMatch(/KEY|role/)
  expect(await listMistakes(bucket)).toContain(`${name}_S3_ACCESS_KEY_ID is needed with ${name}_S3_BUCKET.`)
  expect(await listMistakes({ ...bucket, ...role, [`${name}_S3_ACCESS_KEY_ID`]: 'docket' })).toContain(
    'Keep one of them',
  )
  expect(await listMistakes(role)).toContain(`${name}_S3_CREDENTIALS is set without ${name}_S3_BUCKET.`)
})

test.each(['ARTIFACT', 'LOCAL', 'BACKUP'])(
  'plain http to the object store of %s needs consent, and its links are accepted with it',
  async (name) => {
    const store = (endpoint: string) => ({
      [`${name}_S3_BUCKET`]: 'docket',
      [`${name}_S3_CREDENTIALS`]: 'role',
      [`${name}_S3_ENDPOINT`]: endpoint,
    })
    const minio = store('http://minio.storage.svc:9000')
    const consent = { [`${name}_S3_ALLOW_HTTP`]: 'true' }
    expect(await listMistakes(minio)).toContain(`set ${name}_S3_ALLOW_HTTP=true`)
    expect(await listMistakes({ ...minio, [`${name}_S3_ALLOW_HTTP`]: 'false' })).toContain(`${name}_S3_ALLOW_HTTP=true`)
    expect(await listMistakes({ ...minio, ...consent })).not.toMatch(/http/)
    expect(await listMistakes(store('http://127.0.0.1:9000'))).not.toMatch(/http/)
    expect(await listMistakes({ ...store('http://169.254.169.254'), ...consent })).toContain('metadata service')
    expect(await listMistakes(consent)).toContain(`${name}_S3_ALLOW_HTTP is set without ${name}_S3_BUCKET.`)
    if (name === 'BACKUP') return
    const listHosts = async (settings: Record<string, string>) =>
      readServiceSettings(await readConfig(settings), { embedded: true }).bundleHosts
    expect(await listHosts({ ...minio, ...consent })).toEqual(['http://minio.storage.svc:9000'])
    expect(await listHosts(store('http://127.0.0.1:9000'))).toEqual(['127.0.0.1:9000'])
  },
)

test('the reference describes every variable with an example that is accepted', () => {
  const reference = printConfiguration()
  for (const name of Object.keys(environment.shape)) expect(reference).toContain(`| \`${name}\` |`)
  for (const [name, schema] of Object.entries(environment.shape)) {
    // Examples of files and folders are of no machine in particular.
    if (name.endsWith('_FILE') || name === 'LOCAL_SITES' || name === 'PICTURE_BROWSER') continue
    expect([name, schema.safeParse(schema.meta()?.['example']).success]).toEqual([name, true])
  }
})

test('a variable and its _FILE variant cannot both be set', async () => {
  const files = listSecretVariables(environment.shape).map((name) => `${name}_FILE`)
  expect(files).toContain('LOCAL_CODE_HOST_TOKEN_FILE')
  expect(files.length).toBeGreaterThan(8)
  const both = files.flatMap((name) => [name, name.replace(/_FILE$/, '')])
  const message = await listMistakes(Object.fromEntries(both.map((name) => [name, '/no/such/file'])))
  for (const name of files) expect(message).toContain(`${name.replace(/_FILE$/, '')} and ${name} are both set.`)
})

test('the first admin needs an address and a password, and neither the password nor the signing secret can be printed', async () => {
  const admin = { SETUP_ADMIN_EMAIL: 'Ada@Example.com', SETUP_ADMIN_PASSWORD: 'trellis onion 7 marble quay' }
  const AUTH_SECRET_FILE = await fileWith('k3Jx0cB1v7rTqz5mWnYp9sDfGhLa2eUi\n')
  const config = await readConfig({ ...admin, AUTH_SECRET_FILE })
  expect(config.setupAdmin?.email).toBe('ada@example.com')
  expect([config.setupAdmin?.password(), config.authSecret?.()]).toEqual([
    'trellis onion 7 marble quay',
    'k3Jx0cB1v7rTqz5mWnYp9sDfGhLa2eUi',
  ])
  expect(inspect(config, { depth: null, showHidden: true, getters: true })).not.toMatch(/trellis|k3Jx0/)
  for (const [name, value] of Object.entries(admin))
    expect(await listMistakes({ [name]: value })).toMatch(
      /SETUP_ADMIN_EMAIL and SETUP_ADMIN_PASSWORD only work together/,
    )
  expect(await listMistakes({ ...admin, SETUP_ADMIN_PASSWORD: 'too short' })).toMatch(
    /SETUP_ADMIN_PASSWORD must have 15 to 256 characters/,
  )
  const previous = { AUTH_SECRET_PREVIOUS: 'p8Vd2sYw4hQm7cXz1bNt6kRjUe9gFa3L' }
  const rotating = await readConfig({ AUTH_SECRET_FILE, ...previous })
  expect(rotating.authSecretPrevious?.()).toBe(previous.AUTH_SECRET_PREVIOUS)
  expect(inspect(rotating, { depth: null, showHidden: true, getters: true })).not.toContain('p8Vd2')
  expect(await listMistakes(previous)).toMatch(/AUTH_SECRET_PREVIOUS is set without AUTH_SECRET/)
  expect(await listMistakes({ AUTH_SECRET: 'short' })).toMatch(/AUTH_SECRET must have at least 32 characters/)
})

test('a schema has a name that no other schema needs, and a database that Docket may share', async () => {
  const DATABASE_URL = 'postgresql://docket:hunter2@db.example.com/docket'
  for (const DATABASE_SCHEMA of ['docket', '_1', 'public', 'user', 'a'.repeat(40)])
    expect(await listMistakes({ DATABASE_URL, DATABASE_SCHEMA })).toBe('')
  const taken = ['drizzle', 'pgboss', 'a_pgboss', 'docket_embedded_service', 'pg_docket', 'information_schema']
  for (const DATABASE_SCHEMA of [...taken, 'Docket', '1a', 'a-b', 'a"b', 'a.b', '$user', 'a'.repeat(41)])
    expect(await listMistakes({ DATABASE_URL, DATABASE_SCHEMA })).toMatch(
      /DATABASE_SCHEMA must be the name of a schema/,
    )
  expect(await listMistakes({ DATABASE_SCHEMA: 'docket' })).toMatch(/DATABASE_SCHEMA is set without DATABASE_URL/)
})

test('a direct database address requires the pooler’s address, and printing the configuration reveals neither', async () => {
  const direct = { DATABASE_DIRECT_URL: 'postgresql://docket:hunter2@db.example.com/docket' }
  expect(await listMistakes(direct)).toMatch(/DATABASE_DIRECT_URL is set without DATABASE_URL/)
  const config = await readConfig({ ...direct, DATABASE_URL: 'postgresql://docket:hunter2@pooler.example.com/docket' })
  expect(config.databaseDirectUrl?.()).toBe(direct.DATABASE_DIRECT_URL)
  expect(inspect(config, { depth: null, showHidden: true, getters: true })).not.toContain('hunter2')
})

test('extra headers and a client certificate of the environment are read from values or files, and no mistake shows one', async () => {
  const { cert, key } = localhostCertificate
  const files = {
    ADMIN_API_HEADERS_FILE: await fileWith('X-Tenant: docs\nCF-Access-Client-Secret: a:b\n'),
    ADMIN_API_CLIENT_CERT_FILE: await fileWith(cert),
    ADMIN_API_CLIENT_KEY_FILE: await fileWith(key),
  }
  const config = await readConfig({ ...upstream, ...files })
  expect(config.adminApi?.extra()).toEqual({
    headers: { 'X-Tenant': 'docs', 'CF-Access-Client-Secret': 'a:b' },
    clientCertificate: { certificate: cert.trim(), key: key.trim() },
  })
  expect(readServiceSettings(config, { embedded: false })).toMatchObject({
    headerNames: ['X-Tenant', 'CF-Access-Client-Secret'],
    clientCertificateExpiresOn: '2126-10-28',
  })
  expect(readServiceSettings(config, { embedded: true })).toMatchObject({ headerNames: [] })
  expect(inspect(config, { depth: 9 })).not.toContain(key.split('\n')[1])
  for (const [variables, mistake] of [
    [{ ADMIN_API_HEADERS: 'Authorization: canary' }, /ADMIN_API_HEADERS: Authorization can’t be an extra header/],
    [{ ADMIN_API_HEADERS: 'X-A: canary\nx-a: canary' }, /x-a is there twice/],
    [{ ADMIN_API_HEADERS: 'canary' }, /ADMIN_API_HEADERS: A header has a name that HTTP doesn’t allow/],
    [{ ADMIN_API_CLIENT_CERT: cert }, /only work together/],
    [{ ADMIN_API_CLIENT_CERT: 'canary', ADMIN_API_CLIENT_KEY: key }, /ADMIN_API_CLIENT_CERT: The client certificate/],
  ] as const) {
    const told = await listMistakes({ ...upstream, ...variables })
    expect(told).toMatch(mistake)
    expect(told).not.toContain('canary')
  }
  expect(await listMistakes({ ADMIN_API_HEADERS: 'X-A: canary' })).toMatch(/without ADMIN_API_URL/)
})
