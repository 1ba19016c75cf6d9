import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from './config.ts'

const folder = await mkdtemp(join(tmpdir(), 'docket-config-'))
afterAll(() => rm(folder, { recursive: true }))

const issuer = 'https://login.example.com/realms/company'
const enough = {
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: 'docket',
  OIDC_CLIENT_SECRET: 'hunter2',
  OIDC_ADMIN_GROUP: 'admins',
}
const listMistakes = (variables: Record<string, string>) =>
  readConfig(variables).then(
    () => '',
    (error: unknown) => (error instanceof Error ? error.message : ''),
  )

test('without a provider, single sign-on is off', async () => {
  expect((await readConfig({})).oidc).toBeNull()
})

test('a provider, a client and a group enable single sign-on, and printing the configuration does not reveal its secret', async () => {
  const config = await readConfig(enough)
  expect(config.oidc).toMatchObject({
    clientId: 'docket',
    name: 'Single sign-on',
    scopes: ['openid', 'profile', 'email'],
    groupsClaim: 'groups',
    groups: { admin: 'admins', operator: null, auditor: null, viewer: null },
  })
  expect(config.oidc?.issuer.href).toBe(issuer)
  expect(config.oidc?.clientSecret()).toBe('hunter2')
  expect(JSON.stringify(config)).not.toContain('hunter2')
})

test('the client secret may be in a file, and the openid scope is always requested', async () => {
  const file = join(folder, 'secret')
  await writeFile(file, 'hunter3\n')
  const { OIDC_CLIENT_SECRET: _, ...others } = enough
  const { oidc } = await readConfig({ ...others, OIDC_CLIENT_SECRET_FILE: file, OIDC_SCOPES: 'email, groups' })
  expect(oidc?.clientSecret()).toBe('hunter3')
  expect(oidc?.scopes).toEqual(['openid', 'email', 'groups'])
})

test.for([
  [{ OIDC_CLIENT_ID: '' }, /OIDC_CLIENT_ID is needed with OIDC_ISSUER/],
  [{ OIDC_CLIENT_SECRET: '' }, /OIDC_CLIENT_SECRET is needed with OIDC_ISSUER/],
  [{ OIDC_CLIENT_SECRET_FILE: import.meta.filename }, /OIDC_CLIENT_SECRET and OIDC_CLIENT_SECRET_FILE are both set/],
  [{ OIDC_ISSUER: '' }, /OIDC settings are there without OIDC_ISSUER/],
  [{ OIDC_ADMIN_GROUP: '' }, /without a group that may come in/],
  [{ OIDC_ISSUER: 'http://login.example.com' }, /OIDC_ISSUER must be the https:\/\/ address/],
  [{ OIDC_ISSUER: 'https://me:hunter2@login.example.com' }, /OIDC_ISSUER must be/],
  [{ OIDC_ISSUER: `${issuer}?x=1` }, /OIDC_ISSUER must be/],
  [{ OIDC_ISSUER: 'https://metadata.google.internal' }, /OIDC_ISSUER must be/],
  [{ OIDC_ISSUER: 'login.example.com' }, /OIDC_ISSUER must be/],
] as const)('an incomplete single sign-on is refused with the reason: %j', async ([change, reason]) => {
  const message = await listMistakes({ ...enough, ...change })
  expect(message).toMatch(reason)
  expect(message.match(/^ {2}- /gm)).toHaveLength(1)
  expect(message).not.toContain('hunter2')
})

test('plain http is accepted only for a provider on this machine', async () => {
  for (const address of ['http://127.0.0.1:4000', 'http://localhost:4000'])
    expect((await readConfig({ ...enough, OIDC_ISSUER: address })).oidc?.issuer.origin).toBe(address)
})
