import { constants, createHmac, createSign } from 'node:crypto'
import { afterAll, afterEach, expect, test } from 'vitest'
import { users } from '#people/accounts/accounts.table.ts'
import { signedIn } from '#testing/people.ts'
import { testApp } from '#testing/test-app.ts'
import {
  compactToken,
  keys,
  signedToken,
  startProviderStandIn,
  type Misbehaviour,
} from './testing/provider-stand-in.ts'
import { followSignIn, begin, readCookie, readRefusal, settingsFor, signIn, somebody } from './testing/sign-ins.ts'

type Claims = Record<string, unknown>

const provider = await startProviderStandIn()
const app = await testApp({ as: 'nobody', oidc: settingsFor(provider) })
// Somebody is there, so that not everybody is the first one.
await signedIn(app.db, 'admin')
afterAll(async () => {
  await app.close()
  await provider.close()
})
afterEach(async () => {
  Object.assign(provider.state, { misbehaves: null, misbehavesAt: null, forge: null, sparse: false })
  await app.db.execute('delete from sign_in_attempts')
})

const seconds = () => Math.floor(Date.now() / 1000)
const accounts = async () => (await app.db.select().from(users)).length
/** Signs in as an admin would, and expects that nobody comes in. */
const refused = async (person = somebody(['docket-admins'])) => {
  const before = await accounts()
  const response = await signIn(app, provider, person)
  expect([response.status, readCookie(response), await accounts()]).toEqual([303, '', before])
  return readRefusal(response)
}

const { own, other } = keys
const otherJwk = { ...other.publicKey.export({ format: 'jwk' }), kid: 'two', alg: 'RS256', use: 'sig' }
const hmac = (secret: string) => (text: string) => createHmac('sha256', secret).update(text).digest()
const without = (claims: Claims, name: string) =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name))
const withClaims = (change: Claims) => (claims: Claims) => signedToken({ ...claims, ...change })
const byAnother = (head: object) => (claims: Claims) => signedToken(claims, head, other.privateKey)

const forgeries: Record<string, (claims: Claims) => string> = {
  'another nonce': withClaims({ nonce: 'of-another-browser' }),
  'an empty nonce': withClaims({ nonce: '' }),
  'a list of nonces': (claims) => signedToken({ ...claims, nonce: [claims['nonce']] }),
  'another audience': withClaims({ aud: 'somebody-else' }),
  'other audiences': withClaims({ aud: ['somebody-else', 'docket2'] }),
  'a second audience': withClaims({ aud: ['docket', 'somebody-else'] }),
  'a second audience that asked for it': withClaims({ aud: ['docket', 'somebody-else'], azp: 'somebody-else' }),
  'another issuer': withClaims({ iss: 'https://elsewhere.example' }),
  'an issuer that is nearly the same': withClaims({ iss: `${provider.issuer.origin}/.` }),
  'a list of issuers': withClaims({ iss: [provider.issuer.origin] }),
  'an end in the past': withClaims({ exp: seconds() - 3_600 }),
  'an end in words': withClaims({ exp: 'tomorrow' }),
  'a start in the future': withClaims({ nbf: seconds() + 3_600 }),
  'a subject that is a number': withClaims({ sub: 1 }),
  'an endless subject': withClaims({ sub: 's'.repeat(256) }),
  'an empty subject': withClaims({ sub: '' }),
  ...Object.fromEntries(
    ['nonce', 'aud', 'iss', 'exp', 'iat', 'sub'].map((name) => [
      `no ${name}`,
      (claims: Claims) => signedToken(without(claims, name)),
    ]),
  ),
  'no signature': (claims) => compactToken({ alg: 'none' }, claims, () => ''),
  'no signature in other letters': (claims) => compactToken({ alg: 'nOnE', kid: 'one' }, claims, () => ''),
  'no signature and the claim of one': (claims) => compactToken({ alg: 'RS256', kid: 'one' }, claims, () => ''),
  'the public key as a secret': (claims) => {
    const pem = own.publicKey.export({ format: 'pem', type: 'spki' })
    return compactToken({ alg: 'HS256', kid: 'one' }, claims, hmac(String(pem)))
  },
  "the client's secret": (claims) => compactToken({ alg: 'HS256' }, claims, hmac('s3cret')),
  'an empty secret': (claims) => compactToken({ alg: 'HS256', kid: 'one' }, claims, hmac('')),
  'another algorithm of the same key': (claims) =>
    compactToken({ alg: 'PS256', kid: 'one' }, claims, (text) =>
      createSign('RSA-SHA256').update(text).sign({ key: own.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING }),
    ),
  'another key': byAnother({}),
  'another key by its own name': byAnother({ kid: 'two' }),
  'another key without a name': byAnother({ kid: undefined }),
  'another key by a path': byAnother({ kid: '../../../dev/null' }),
  'another key by a list of names': byAnother({ kid: ['one'] }),
  'another key that it brings': byAnother({ jwk: otherJwk }),
  'another key at an address': byAnother({ kid: 'two', jku: `${provider.issuer.origin}/elsewhere` }),
  'another certificate at an address': byAnother({ kid: 'two', x5u: `${provider.issuer.origin}/elsewhere` }),
  'another certificate that it brings': byAnother({ x5c: ['MIIB'] }),
  'an extension that must be understood': (claims) => signedToken(claims, { crit: ['exp'], b64: false }),
  'claims that were changed later': (claims) => {
    const [head, , signature] = signedToken(claims).split('.')
    return `${head}.${Buffer.from(JSON.stringify({ ...claims, groups: ['docket-admins'], sub: 'admin' })).toString('base64url')}.${signature}`
  },
  'half a signature': (claims) => signedToken(claims).slice(0, -100),
  'an encrypted form': (claims) => `${signedToken(claims)}.x.y`,
  'words in its place': () => 'somebody',
}

test.for(Object.entries(forgeries))('an ID token with %s signs nobody in', async ([what, forge]) => {
  provider.state.forge = forge
  expect(await refused()).toBe(/in the (past|future)/.test(what) ? 'clock' : 'provider_refused')
  expect(provider.state.requests).not.toContain('/elsewhere')
})

test.for<[string, (claims: Claims) => string]>([
  ['an audience in a list', withClaims({ aud: ['docket'] })],
  ['a second audience, asked for by Docket', withClaims({ aud: ['docket', 'somebody-else'], azp: 'docket' })],
  ['a clock that is ahead', withClaims({ iat: seconds() + 3_600, exp: seconds() + 7_200 })],
  ['no name of the key', (claims) => signedToken(claims, { kid: undefined })],
  ['a key beside its own, which is not looked at', (claims) => signedToken(claims, { jwk: otherJwk })],
])('a genuine ID token with %s signs in', async ([, forge]) => {
  provider.state.forge = forge
  const response = await signIn(app, provider, somebody(['staff']))
  expect(response.headers.get('location')).toBe('/exports?state=running')
})

test.for<[Misbehaviour, string, string]>([
  ['no id token', '/token', 'provider_refused'],
  ['another issuer in its answer', '/authorize', 'provider_refused'],
  ['no issuer in its answer', '/authorize', 'provider_refused'],
  ['redirecting', '/token', 'provider_unavailable'],
  ['endless', '/token', 'provider_unavailable'],
  ['not JSON', '/token', 'provider_unavailable'],
  ['redirecting', '/userinfo', 'provider_unavailable'],
  ['endless', '/userinfo', 'provider_unavailable'],
  ['another person at userinfo', '/userinfo', 'provider_refused'],
])(
  'if the provider answers with %s at %s, nobody is signed in and no redirect is followed',
  async ([misbehaves, misbehavesAt, word]) => {
    // The key is known already, so nothing but the address in question is asked.
    await signIn(app, provider, somebody(['staff']))
    Object.assign(provider.state, { misbehaves, misbehavesAt, sparse: misbehavesAt === '/userinfo' })
    expect(await refused()).toBe(word)
    expect(provider.state.requests).not.toContain('/elsewhere')
  },
)

const answerWith = (change: (query: URLSearchParams) => void) => async () => {
  provider.state.person = somebody(['docket-admins'])
  const { url, cookie } = await begin(app)
  const answer = new URL(await followSignIn(url), app.url)
  change(answer.searchParams)
  return app.get(answer.pathname + answer.search, { cookie })
}

test.for<[string, () => Promise<Response>]>([
  ['no state', answerWith((query) => query.delete('state'))],
  ['another state', answerWith((query) => query.set('state', 'x'.repeat(43)))],
  ['no code', answerWith((query) => query.delete('code'))],
  ['a code of nobody', answerWith((query) => query.set('code', 'guessed'))],
  ['two codes', answerWith((query) => query.append('code', 'guessed'))],
  ['two issuers', answerWith((query) => query.append('iss', 'https://elsewhere.example'))],
  [
    'an ID token in its address',
    answerWith((query) => {
      query.delete('code')
      query.set('id_token', signedToken({ iss: provider.issuer.origin, aud: 'docket', sub: 'admin' }))
    }),
  ],
  [
    'the code that somebody else was given',
    async () => {
      provider.state.person = somebody(['docket-admins'])
      const stolen = new URL(await followSignIn((await begin(app)).url), app.url).searchParams.get('code')!
      return answerWith((query) => query.set('code', stolen))()
    },
  ],
])('a callback with %s signs nobody in', async ([, answer]) => {
  const before = await accounts()
  const response = await answer()
  expect([response.status, readCookie(response), await accounts()]).toEqual([303, '', before])
  expect(['provider_refused', 'expired']).toContain(readRefusal(response))
})

test.for([
  'docket-admins,staff',
  'docket-admins staff',
  'DOCKET-ADMINS',
  ' docket-admins',
  '*',
  ['docket-admins\0'],
  [['docket-admins']],
  [1],
  [{ displayName: 'docket-admins' }],
  { 'docket-admins': true },
  { 0: 'docket-admins', length: 1 },
  true,
])('groups of the form %j give no role', async (groups) => {
  expect(await refused(somebody(groups))).toBe('no_access')
})

test.for([['victim@example.com'], { email: 'victim@example.com' }, 'victim@example.com\n', 'ｖictim@example.com', 'x'])(
  'an e-mail address of the form %j is refused',
  async (email) => {
    expect(await refused(somebody(['staff'], { email: email as string }))).toBe('no_email')
  },
)
