import { expect, test } from 'vitest'
import { emptyDraft, toTokenRequest } from './token-form.ts'
import { describeSiteRights, isChosenSite, toggleSite } from './token-sites.ts'

const draft = {
  ...emptyDraft,
  name: 'CI',
  connectionIds: ['a'],
  domains: 'a.example\n',
  sites: [{ siteId: 's', channelId: null }],
}

test('a token with access to everything is sent without restrictions, even if some were typed before', () => {
  const request = toTokenRequest(draft)
  expect(request).toMatchObject({ domains: null, projectIds: null, sites: null, connectionIds: null })
})

test('a restricted token is sent with the names it is restricted to, and needs at least one', () => {
  expect(toTokenRequest({ ...draft, restricted: true })).toMatchObject({ domains: ['a.example'], connectionIds: ['a'] })
  expect(toTokenRequest({ ...draft, restricted: true, domains: ' ' })).toMatchObject({
    domains: null,
    connectionIds: ['a'],
  })
  expect(toTokenRequest({ ...draft, restricted: true, domains: '', sites: [], connectionIds: [] })).toContain(
    'Enter at least one',
  )
})

test('choosing a whole site replaces its single channels, and each of its channels counts as chosen', () => {
  const channel = { siteId: 's', channelId: 'p' }
  const site = { siteId: 's', channelId: null }
  const other = { siteId: 't', channelId: 'q' }
  const chosen = toggleSite([channel, other], site)
  expect(chosen).toEqual([other, site])
  expect(isChosenSite(chosen, channel)).toBe(true)
  expect(isChosenSite(chosen, { siteId: 't', channelId: null })).toBe(false)
  expect(toggleSite(chosen, site)).toEqual([other])
})

test('the description of a token names its channels, including removed ones', () => {
  const sites = [{ siteId: 's', name: 'Docs', channels: [{ channelId: 'p', name: 'production' }] }]
  const chosen = [
    { siteId: 's', channelId: 'p' },
    { siteId: 'gone', channelId: null },
  ]
  expect(describeSiteRights('operate', chosen, sites)).toContain('of production of Docs, a removed site')
})
