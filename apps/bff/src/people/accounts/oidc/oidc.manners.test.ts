import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Role } from '@docket/api-types/session'
import { eq } from 'drizzle-orm'
import { users } from '#people/accounts/accounts.table.ts'
import { signedIn } from '#testing/people.ts'
import { testApp } from '#testing/test-app.ts'
import { startProviderStandIn } from './testing/provider-stand-in.ts'
import { readRefusal, settingsFor, signIn, somebody } from './testing/sign-ins.ts'

const provider = await startProviderStandIn()
const settings = settingsFor(provider)
const app = await testApp({ as: 'nobody', oidc: settings })
await signedIn(app.db, 'admin')
afterAll(async () => {
  await app.close()
  await provider.close()
})
beforeEach(async () => {
  Object.assign(settings, { groupsClaim: 'groups', groupsSeparator: null })
  provider.state.sparse = false
  await app.db.execute('delete from sign_in_attempts')
})

type Manner = {
  /** Claims of the person. */
  claims: Record<string, unknown>
  claim?: string
  separator?: 'comma' | 'space'
  /** All claims but the subject are at the userinfo endpoint. */
  sparse?: true
}

const many = Array.from({ length: 300 }, (_, index) => `team-${index}`)

test.for<[string, Manner, Role]>([
  ['Keycloak with a mapper for groups', { claims: { groups: ['docket-admins'] } }, 'admin'],
  ['Keycloak with full paths of groups', { claims: { groups: ['/docket-admins', '/other/staff'] } }, 'admin'],
  ['Keycloak with a subgroup', { claims: { groups: ['/company/docs', '/staff'] } }, 'viewer'],
  [
    'Keycloak with roles of the realm',
    { claim: 'realm_access.roles', claims: { realm_access: { roles: ['offline_access', 'docs'] } } },
    'operator',
  ],
  [
    'Keycloak with roles of a client whose ID has a dot',
    {
      claim: 'resource_access.docket.example.roles',
      claims: { resource_access: { 'docket.example': { roles: ['docs'] } } },
    },
    'operator',
  ],
  [
    'a flat claim whose name has a dot, beside nested ones',
    {
      claim: 'realm_access.roles',
      claims: { 'realm_access.roles': ['docs'], realm_access: { roles: ['docket-admins'] } },
    },
    'operator',
  ],
  [
    'Keycloak that answers at userinfo only',
    { sparse: true, claim: 'realm_access.roles', claims: { realm_access: { roles: ['staff'] } } },
    'viewer',
  ],
  [
    'Entra ID with app roles, and no email_verified',
    { claim: 'roles', claims: { roles: ['docket-admins'], email_verified: undefined, tid: 'x' } },
    'admin',
  ],
  [
    'Entra ID with many groups, but below its limit',
    { claims: { groups: [...many.slice(0, 199), 'docs'] } },
    'operator',
  ],
  ['Okta with a filtered claim', { claims: { groups: ['Everyone', 'docs'] } }, 'operator'],
  [
    'Auth0 with a claim in a namespace',
    { claim: 'https://example.com/groups', claims: { 'https://example.com/groups': ['docs'] } },
    'operator',
  ],
  ['Authentik', { claims: { groups: ['authentik Admins', 'controllers'] } }, 'auditor'],
  [
    'Zitadel with an object of roles',
    {
      claim: 'urn:zitadel:iam:org:project:roles',
      claims: { 'urn:zitadel:iam:org:project:roles': { docs: { '2871': 'example.com' } } },
    },
    'operator',
  ],
  [
    'Zitadel with the roles of one project',
    {
      claim: 'urn:zitadel:iam:org:project:28:roles',
      claims: { 'urn:zitadel:iam:org:project:28:roles': { 'docket-admins': {} } },
    },
    'admin',
  ],
  [
    'GitLab at its userinfo endpoint',
    { sparse: true, claims: { groups: ['company', 'company/docs', 'docs'] } },
    'operator',
  ],
  ['Cognito', { claim: 'cognito:groups', claims: { 'cognito:groups': ['docket-admins'] } }, 'admin'],
  ['Dex', { claims: { groups: ['example:docs', 'staff'] } }, 'viewer'],
  ['AD FS with one group as a text', { claim: 'group', claims: { group: 'docket-admins' } }, 'admin'],
  ['AD FS with several groups as a list', { claim: 'group', claims: { group: ['Domain Users', 'docs'] } }, 'operator'],
  ['PingFederate with memberOf', { claim: 'memberOf', claims: { memberOf: ['CN=x,DC=example', 'docs'] } }, 'operator'],
  ['OneLogin with a text with commas', { separator: 'comma', claims: { groups: 'staff, docs' } }, 'operator'],
  ['JumpCloud', { claim: 'memberOf', claims: { memberOf: ['docs'] } }, 'operator'],
  [
    'LemonLDAP::NG with a text with spaces',
    { separator: 'space', claims: { groups: 'users  docket-admins' } },
    'admin',
  ],
  ['Authelia at its userinfo endpoint', { sparse: true, claims: { groups: ['docs', 'staff'] } }, 'operator'],
  ['Shibboleth with JSON in a text', { claim: 'entitlement', claims: { entitlement: '["staff","docs"]' } }, 'operator'],
  ['Kanidm with names and IDs', { claims: { groups: ['docs@idm.example.com', '00000000-0000', 'docs'] } }, 'operator'],
  ['FusionAuth', { claim: 'roles', claims: { roles: ['controllers'] } }, 'auditor'],
  ['Ory with claims in an object', { claim: 'ext.groups', claims: { ext: { groups: ['docs'] } } }, 'operator'],
  [
    'Casdoor with objects that have a name',
    { claims: { groups: [{ name: 'docs', displayName: 'docket-admins' }] } },
    'operator',
  ],
  ['a list with a number among its texts', { claims: { groups: ['docs', 1, null] } }, 'operator'],
  ['a provider that sends the only group as a text', { claims: { groups: 'staff' } }, 'viewer'],
])('%s: the person gets the role', async ([, manner, role]) => {
  const { claims, claim = 'groups', separator = null, sparse = false } = manner
  Object.assign(settings, { groupsClaim: claim, groupsSeparator: separator })
  provider.state.sparse = sparse
  const person = somebody(undefined, claims)
  expect((await signIn(app, provider, person)).headers.get('location')).toBe('/exports?state=running')
  const [user] = await app.db.select().from(users).where(eq(users.email, person.email!))
  expect(user?.role).toBe(role)
})

test.for<[string, Manner, RegExp]>([
  [
    'Google, which has no groups',
    { claims: { hd: 'example.com' } },
    /The claim groups is absent: neither the ID token nor the userinfo response has it\..+"email_verified", "exp", "hd"/,
  ],
  [
    'Keycloak with the claim of another mapper',
    { claim: 'realm_access.roles', claims: { realm_access: {}, groups: ['docket-admins'] } },
    /The claim realm_access\.roles is absent/,
  ],
  ['a claim that is null', { claims: { groups: null } }, /The claim groups is absent/],
  [
    'Entra ID with too many groups',
    { claims: { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://graph.example' } } } },
    /\(overage\)\. Let it send only groups assigned to Docket, or app roles with OIDC_GROUPS_CLAIM=roles/,
  ],
  ['Entra ID with too many groups, in a short form', { claims: { hasgroups: true } }, /\(overage\)/],
  [
    'Entra ID with IDs of groups',
    { claims: { groups: ['b0c9a7d2-1111-4222-8333-444455556666'] } },
    /has 1 value, and none is a group with a role: "b0c9a7d2-/,
  ],
  [
    '300 groups of which none counts',
    { claims: { groups: many } },
    /has 300 values, and none is a group with a role: "team-0".+"team-9" …/,
  ],
  ['a group with an endless name', { claims: { groups: ['x'.repeat(5_000)] } }, /"x{60}…"/],
  ['an empty list', { claims: { groups: [] } }, /The claim groups is empty/],
  [
    'a text with commas that nobody said is a list',
    { claims: { groups: 'staff,docket-admins' } },
    /: "staff,docket-admins"\. If this text lists several groups, set OIDC_GROUPS_SEPARATOR/,
  ],
  [
    'a text with spaces that nobody said is a list',
    { claims: { groups: 'staff docket-admins' } },
    /set OIDC_GROUPS_SEPARATOR/,
  ],
  [
    'a subgroup of somebody else',
    { claims: { groups: ['/sandbox/docket-admins'] } },
    /none is a group with a role: "\/sandbox\/docket-admins"/,
  ],
  [
    'an object where roles are one level deeper',
    { claim: 'realm_access', claims: { realm_access: { roles: ['docket-admins'] } } },
    /is not a list of texts \(its form: object with "roles"\)\..+OIDC_GROUPS_CLAIM=realm_access\.roles/,
  ],
  [
    'an object whose keys are no roles',
    { claim: 'resource_access', claims: { resource_access: { 'docket-admins': {} } } },
    /its form: object with "docket-admins"/,
  ],
  [
    'objects with display names, which are not unique',
    { claims: { groups: [{ id: 7, displayName: 'docket-admins' }] } },
    /its form: list of object with "id", "displayName"/,
  ],
  ['GitLab with numbers', { claims: { groups: [17, 18] } }, /its form: list of number/],
  ['true', { claims: { groups: true } }, /its form: boolean/],
  ['names that differ in case', { claims: { groups: ['Docket-Admins'] } }, /"Docket-Admins"/],
])('%s: nobody gets a role, and one line of the log says why', async ([, manner, because]) => {
  const { claims, claim = 'groups', separator = null } = manner
  Object.assign(settings, { groupsClaim: claim, groupsSeparator: separator })
  const before = app.logged().length
  expect(readRefusal(await signIn(app, provider, somebody(undefined, claims)))).toBe('no_access')
  const lines = app
    .logged()
    .slice(before)
    .split('\n')
    .filter((line) => line.includes('"because"'))
  expect(lines).toHaveLength(1)
  expect((JSON.parse(lines[0]!) as { because: string }).because).toMatch(because)
  expect(lines[0]!.length).toBeLessThan(2_000)
})
