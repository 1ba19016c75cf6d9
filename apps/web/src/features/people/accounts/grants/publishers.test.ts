import type { User } from '@docket/api-types/accounts'
import type { Grant, SiteGrant } from '@docket/api-types/grants'
import { expect, test } from 'vitest'
import { listPublishers } from './publishers.ts'

const user = (name: string, role: User['role'], disabledAt: string | null = null) =>
  ({ userId: name, name, role, disabledAt }) as User
const users = [
  user('Ada', 'admin'),
  user('Gone', 'admin', '2026-01-01T00:00:00Z'),
  user('Op', 'operator'),
  user('Vi', 'viewer'),
  user('Au', 'auditor'),
  user('Li', 'none'),
]
const site = (isProtected: boolean) => ({
  siteId: 's',
  name: 'Docs',
  feeds: [{ connectionId: 'c', domain: 'docs.example.com' }],
  channels: [
    { channelId: 'p', name: 'production', isProtected },
    { channelId: 'x', name: 'staging', isProtected: false },
  ],
})
const grant = (who: Partial<Grant>, connectionId: string) =>
  ({ userId: null, oidcGroup: null, role: 'operator', connectionId, ...who }) as Grant
const siteGrant = (who: Partial<SiteGrant>) =>
  ({ userId: null, oidcGroup: null, role: 'operator', siteId: 's', channelId: null, ...who }) as SiteGrant

test('operators of a connection that feeds the site may publish to production unless it is protected', () => {
  const held = [grant({ userId: 'Vi' }, 'c'), grant({ userId: 'Li' }, 'other')]
  expect(listPublishers(site(false), users, held)).toEqual(['Ada', 'Op', 'Vi'])
  expect(listPublishers(site(true), users, held)).toEqual(['Ada'])
})

test('operators of the site or of production may publish even if it is protected; viewers and operators of other channels may not', () => {
  const siteGrants = [
    siteGrant({ userId: 'Li', channelId: 'p' }),
    siteGrant({ userId: 'Vi', channelId: 'x' }),
    siteGrant({ userId: 'Op', role: 'viewer' }),
    siteGrant({ userId: 'Au' }),
    siteGrant({ oidcGroup: 'release' }),
  ]
  expect(listPublishers(site(true), users, siteGrants)).toEqual(['Ada', 'Li', 'members of release'])
})
