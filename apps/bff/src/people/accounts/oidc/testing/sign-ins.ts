import { OidcRefusal, OidcStarted } from '@docket/api-types/accounts'
import type { OidcSettings } from '#ground/config/oidc.ts'
import type { TestApp } from '#testing/test-app.ts'
import type { ProviderStandIn, StandInPerson } from './provider-stand-in.ts'

/** Settings for single sign-on with the stand-in provider. */
export const settingsFor = (
  provider: ProviderStandIn,
  groups: Partial<OidcSettings['groups']> = {},
): OidcSettings & { timeoutMs: number } => ({
  issuer: provider.issuer,
  clientId: 'docket',
  clientSecret: () => 's3cret',
  name: 'Example Company',
  scopes: ['openid', 'profile', 'email'],
  groupsClaim: 'groups',
  groupsSeparator: null,
  signOut: false,
  recheckMinutes: null,
  groups: { admin: 'docket-admins', operator: 'docs', auditor: 'controllers', viewer: 'staff', ...groups },
  timeoutMs: 1_000,
})

let people = 0
/** A new person at the provider, in these groups. */
export const somebody = (groups: unknown, more: Partial<StandInPerson> = {}): StandInPerson => {
  people += 1
  const email = `person${people}@example.com`
  return { sub: `subject-${people}`, email, email_verified: true, name: `Person ${people}`, groups, ...more }
}

/** Cookies that a response set, as the browser sends them back. */
export const readCookie = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0]!)
    .filter((one) => !one.endsWith('='))
    .join('; ')

/** Starts a sign-in: returns the provider's address and the cookie that the browser keeps meanwhile. */
export const begin = async (app: TestApp, returnTo = '/exports?state=running') => {
  const response = await app.post('/api/auth/oidc', { returnTo })
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  return { url: OidcStarted.parse(await response.json()).url, cookie: readCookie(response) }
}

/** Path and query that the provider sends the browser back to. */
export const followSignIn = async (url: string): Promise<string> => {
  const { pathname, search } = new URL((await fetch(url, { redirect: 'manual' })).headers.get('location')!)
  return pathname + search
}

/** Signs a person in, from the button to Docket's last response. */
export const signIn = async (app: TestApp, provider: ProviderStandIn, person: StandInPerson): Promise<Response> => {
  provider.state.person = person
  const { url, cookie } = await begin(app)
  return app.get(await followSignIn(url), { cookie })
}

/** The reason for a refused sign-in, from the address of the sign-in page. Throws when the sign-in succeeded. */
export const readRefusal = (response: Response): OidcRefusal =>
  OidcRefusal.parse(new URL(response.headers.get('location') ?? '', 'http://x').searchParams.get('error'))
