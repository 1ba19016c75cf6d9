import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { secretFaults } from './secrets.ts'
import { plantedTree } from './testing/planted-tree.ts'

const repository = (files: Record<string, string>) => {
  const root = plantedTree(files)
  execFileSync('git', ['init', '--quiet'], { cwd: root })
  return root
}

// In pieces, so that the scan of this repository does not find them.
const random = ['q7Zx2', 'Vt9Lm4', 'Rk8Wp1', 'Yc6Ns3', 'Hd5Jf0', 'Bg'].join('')
const planted: Record<string, [file: string, text: string]> = {
  'a private key': [
    'apps/key.ts',
    `-----BEGIN ${'PRIVATE'} KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC${random}${random}\n-----END ${'PRIVATE'} KEY-----`,
  ],
  'a token of GitHub': ['README.md', `gh${'p_'}${random.repeat(2).slice(0, 36)}`],
  'a token of GitLab': ['ci.yml', `TOKEN: gl${'pat-'}${random.slice(0, 20)}`],
  'a key of AWS': ['deploy.sh', `export AWS_SECRET_ACCESS${'_KEY'}="${random.repeat(2).slice(0, 40)}"`],
  'the id of a key of AWS': ['deploy.sh', `aws configure set aws_access_key_id AK${'IA'}IOSFODNN7QWERTYU`],
  'a token of Docket': ['ci.sh', `curl -H "Authorization: Bearer docket${'_'}${random.repeat(2).slice(0, 49)}"`],
  'a token of Slack': ['bot.ts', `xox${'b-'}123456789012-1234567890123-${random.slice(0, 24)}`],
  'a key of Stripe': ['pay.ts', `sk_${'live_'}${random.slice(0, 24)}`],
  'a token of npm': [
    'publish.sh',
    `echo '//registry.npmjs.org/:_auth${'Token'}=np${'m_'}${random.repeat(2).slice(0, 36)}'`,
  ],
  'random text in a secret': ['config.ts', `const adminApi${'Key'} = '${random}'`],
  'the password of a database': ['compose.yaml', `DATABASE_URL: postgres${'://'}docket:${random}@db.internal/docket`],
  'a password in any address': [
    'cache.ts',
    `connect('redis${'://'}:x:${random.slice(0, 12)}@cache.internal')`.replace(':x:', 'x:'),
  ],
}

for (const [name, [file, text]] of Object.entries(planted))
  test(`${name} is reported without repeating the secret`, async () => {
    const faults = await secretFaults(repository({ [file]: `first line\n${text}\n` }), [])
    expect(faults).not.toEqual([])
    for (const fault of faults) expect(fault).toMatch(new RegExp(`^${file}:[12] looks like a secret`))
    expect(faults.join()).not.toContain(random.slice(0, 12))
  })

const hex = ['9f86d081', '884c7d65', '9a2feaa0', 'c55ad015', 'a3bf4f1b'].join('')
const base64url = ['Zk3-Qw9x', 'T7_bLr2H', 'v8Nc1-Yp', '5Md0Ks4G', '6uJeA7fB'].join('')
const keys: Record<string, string> = {
  'an unknown prefix': `mint${'_'}${random.repeat(2).slice(0, 40)}`,
  'a prefix of two words': `sk${'_live_'}${random.slice(0, 24)}`,
  hexadecimals: `adm${'_'}${hex}`,
  base64url: `adm${'_'}${base64url}`,
  'capitals and digits': `KEY${'_'}${random.toUpperCase()}`,
  'small letters and digits': `key9${'_'}${random.toLowerCase().slice(0, 24)}`,
}
const places = [
  (key: string) => `curl -H 'Authorization: Bearer ${key}'`,
  (key: string) => `ADMIN=${key}`,
  (key: string) => `see https://example.com/${key}/x`,
]
for (const [name, key] of Object.entries(keys))
  test(`a key of ${name} is reported wherever it occurs`, async () => {
    const text = places.map((place) => place(key)).join('\n')
    const faults = await secretFaults(repository({ 'a.md': text }), [])
    for (const line of [1, 2, 3]) expect(faults).toContain(`a.md:${line} looks like a secret (a key with a prefix)`)
  })

test('identifiers, constants, UUIDs and hashes are not reported as keys', async () => {
  const harmless = [
    'sign_in_accounts_user_id_users_id_fk LOCAL_S3_SECRET_ACCESS_KEY_FILE HPE_INVALID_TRANSFER_ENCODING_2',
    'nodejs_eventloop_lag_p99_seconds test_parsesUtf8StringsAndDatesOfThe21stCentury V1_0001_add_users_table_2026_11_22',
    'adm_key-of-the-contract-suite docket_pasted-by-mistake-0123456789 prefix_0123456789abcdefghijklmnop',
    'export_0198c2b0-7d3e-7c52-b1a4-5f2e9d8c7b6a job_0198C2B0-7D3E-7C52-B1A4-5F2E9D8C7B6A',
    `${hex} sha256:${hex} sha512-${random}${random}== "integrity": "sha512-${random}/${random}=="`,
    `.button_${'a1b2c'}_12 { --tw_ring_offset_shadow_color: #9f86d0 } index-${random.slice(0, 8)}.js`,
  ]
  expect(await secretFaults(repository({ 'a.txt': harmless.join('\n') }), [])).toEqual([])
})

test('files with names of secrets are reported, and so are the files of Docket’s data directory', async () => {
  const names = [
    '.env',
    '.env.production',
    'tls/server.key',
    'id_ed25519',
    '.npmrc',
    'run/admin-api-key',
    'x/PG_VERSION',
  ]
  const root = repository(Object.fromEntries([...names, '.env.example', 'src/api-key.ts'].map((name) => [name, ''])))
  const faults = await secretFaults(root, [])
  expect(faults.map((fault) => fault.replace(/:1 .*/, '')).toSorted()).toEqual(names.toSorted())
})

test('a comment cannot silence the scan', async () => {
  const [, text] = planted['a token of GitHub'] ?? ['', '']
  const root = repository({ 'a.ts': `// secretlint-${'disable'}\n${text} // secretlint-${'disable'}-line\n` })
  expect(await secretFaults(root, [])).not.toEqual([])
})

test('a listed fake secret is allowed only in its listed place, and an unused listing is a fault', async () => {
  const fakes = [{ text: random, in: 'config.ts', because: 'of a test' }]
  const text = `const api${'Key'} = '${random}'`
  expect(await secretFaults(repository({ 'config.ts': text }), fakes)).toEqual([])
  expect(await secretFaults(repository({ 'other.ts': text }), fakes)).toHaveLength(2)
  expect(await secretFaults(repository({}), fakes)).toEqual(['a fake nothing needs any more: of a test'])
})

test('words, content hashes and example addresses are not reported as secrets', async () => {
  const root = repository({
    'a.md': `DATABASE_URL=postgres://user:password@db.example.com/x\ntoken: the-token-is-shown-once-and-then-never-again`,
    'pnpm-lock.yaml': `resolution: {integrity: sha512-${random}${random}==}`,
  })
  expect(await secretFaults(root, [])).toEqual([])
})
