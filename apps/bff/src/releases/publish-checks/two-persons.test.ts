import {
  PublishChecks,
  Proposal,
  defaultPublishChecks,
  type PublishCheckSettings,
  OpenProposalList,
} from '@docket/api-types/publish-checks'
import { Channel, Site } from '@docket/api-types/sites'
import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { users } from '#people/accounts/accounts.table.ts'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { channels } from '#ground/db/sites.table.ts'
import { proposals } from './proposals.table.ts'
import { siteGrants } from '#people/accounts/site-grants.table.ts'
import { targetsApp } from '#testing/targets-app.ts'
import { signedIn } from '#testing/people.ts'
import { makeToken } from '#testing/tokens.ts'

type Headers = Record<string, string | undefined>

const app = await targetsApp()
afterAll(app.close)

const path = app.path.replace(/\/targets$/, '')
/** Asks for approvals and for nothing else. */
const checksWith = (approvals: number): PublishCheckSettings => ({
  ...defaultPublishChecks,
  finishedCheck: false,
  noNewBreaks: false,
  noNewLeaks: false,
  maxFewerPages: null,
  sameSearch: false,
  approvals,
})
const as = async (role: 'admin' | 'operator' | 'viewer'): Promise<Headers & { userId: string }> => {
  const { cookie, userId } = await signedIn(app.db, role)
  return { cookie, userId }
}
/** Somebody with the role of an operator for the channel, and no other. */
const asChannelOperator = async (): Promise<Headers> => {
  const { cookie, userId } = await signedIn(app.db, 'operator')
  const { siteId } = app.site
  await app.db
    .insert(siteGrants)
    .values({ userId, role: 'operator', siteId, channelId: app.channelId, createdAt: new Date() })
  return { cookie }
}
const only = ({ userId: _, ...headers }: Headers & { userId?: string }): Headers => headers
const read = async () =>
  Channel.parse(Site.parse(await (await app.get(path.split('/channels')[0]!)).json()).channels[0])
const change = async (body: object, headers: Headers = {}) => {
  const { version } = await read()
  const answer = await app.send('PATCH', path, { version, ...body }, only(headers))
  return [answer.status, answer.ok ? '' : ((await answer.json()) as { message: string }).message] as const
}
const ask = async (exportId: string | null, headers: Headers = {}) => {
  const answer = await app.post(`${path}/proposals`, { exportId, note: null }, only(headers))
  expect(answer.status, await answer.clone().text()).toBe(200)
  return Proposal.parse(await answer.json())
}
const approve = async ({ proposalId }: Proposal, headers: Headers) =>
  (await app.post(`${path}/proposals/${proposalId}/approval`, undefined, only(headers))).status
const publish = async (exportId: string, headers: Headers, override: string | null = null) => {
  const { version } = await read()
  return (await app.post(`${path}/releases`, { version, exportId, override }, only(headers))).status
}
const [first, second] = app.exportIds as [string, string]

beforeEach(async () => {
  await app.db.update(proposals).set({ endedAt: new Date() })
  await app.db
    .update(channels)
    .set({ publishChecks: checksWith(1), access: 'signed_in', isProtected: false })
    .where(eq(channels.channelId, app.channelId))
})

/** A token of somebody who was an admin when they made it. */
const issueToken = async (role: 'admin' | 'operator') => {
  const person = await signedIn(app.db, 'admin')
  await app.db.update(users).set({ name: 'Ann' }).where(eq(users.id, person.userId))
  const headers = { cookie: person.cookie }
  const { bearer, apiToken } = await makeToken({ ...app, post: (to, body) => app.post(to, body, headers) })
  await app.db.update(users).set({ role }).where(eq(users.id, person.userId))
  return { bearer, tokenId: apiToken.tokenId, owner: { cookie: person.cookie }, userId: person.userId }
}

test('a publication proposed by a token names token and owner, and must be approved by people other than the owner', async () => {
  const { bearer, owner } = await issueToken('operator')
  const [other, admin] = [await as('operator'), await as('admin')]
  const asked = await ask(first, bearer)
  expect(asked).toMatchObject({ askedBy: 'Ann', askedWith: 'CI', isOwn: true })
  expect(await approve(asked, owner)).toBe(403)
  expect(await publish(first, owner)).toBe(409)
  const seenBy = async (headers: Headers) =>
    OpenProposalList.parse(await (await app.get('/api/proposals', only(headers))).json()).proposals[0]
  expect(await seenBy(owner)).toMatchObject({ isOwn: true, mayApprove: false, askedBy: 'Ann', askedWith: 'CI' })
  expect(await seenBy(other)).toMatchObject({ isOwn: false, mayApprove: true })
  // Nor does an approval count that is there already.
  await app.db.$client.query(
    `insert into approvals (proposal_id, user_id, name, approved_at) select $1, id, name, now() from users where name = 'Ann'`,
    [asked.proposalId],
  )
  expect(await publish(first, owner)).toBe(409)
  expect(await approve(asked, bearer)).toBe(403)
  expect(await approve(asked, other)).toBe(204)
  const publishChecks = PublishChecks.parse(
    await (await app.get(`${path}/publish-checks?export=${first}`, only(admin))).json(),
  )
  expect(publishChecks.proposal!.approvals.map(({ by }) => by)).toEqual(['The operator'])
  expect(await publish(first, owner)).toBe(200)
})

test('a person and their tokens can withdraw each other’s proposals, and nobody else can', async () => {
  const { bearer, owner } = await issueToken('operator')
  const withdraw = async ({ proposalId }: Proposal, headers: Headers) =>
    (await app.delete(`${path}/proposals/${proposalId}`, only(headers))).status
  const asked = await ask(second, bearer)
  expect(await withdraw(asked, await as('operator'))).toBe(403)
  expect(await withdraw(asked, owner)).toBe(204)
  expect(await withdraw(await ask(second, owner), bearer)).toBe(204)
})

test('a proposal by a token can be approved by anybody who may publish, even after its owner was removed', async () => {
  const { bearer, userId } = await issueToken('operator')
  const asked = await ask(second, bearer)
  await app.db.delete(users).where(eq(users.id, userId))
  expect(await approve(asked, await as('operator'))).toBe(204)
})

test('only admins can make a channel public, set its headers or require fewer approvals, and each change is audited', async () => {
  const [operator, ofChannel] = [await as('operator'), await asChannelOperator()]
  const headers = [{ name: 'X-Frame-Options', value: 'DENY' }]
  const { bearer } = await issueToken('admin')
  for (const who of [operator, ofChannel, bearer]) {
    for (const body of [
      { access: 'public' },
      { headers },
      { hostname: 'docs.example.org' },
      { publishChecks: checksWith(0) },
    ])
      expect([body, await change(body, who)]).toEqual([body, [403, expect.stringContaining('Only admins')]])
    expect((await change({ access: 'private' }, who))[0]).toBe(200)
    expect((await change({ access: 'signed_in' }, who))[0]).toBe(200)
  }
  expect((await change({ publishChecks: checksWith(2) }, ofChannel))[0]).toBe(200)
  expect((await change({ publishChecks: checksWith(1) }, ofChannel))[0]).toBe(403)
  expect((await change({ publishChecks: checksWith(0) }))[0]).toBe(200)
  expect((await change({ headers, access: 'public' }))[0]).toBe(200)
  const rows = await app.db
    .select({ details: auditEvents.details })
    .from(auditEvents)
    .where(eq(auditEvents.action, 'channel.changed'))
    .orderBy(auditEvents.auditId)
  expect(rows.slice(-2).map(({ details }) => details)).toMatchObject([
    { publishChecks: expect.stringContaining('"approvals":0'), approvalsBefore: 2 },
    { access: 'public', headers: 'X-Frame-Options' },
  ])
  // Whoever may change it may close it again.
  expect((await change({ access: 'signed_in' }, operator))[0]).toBe(200)
})

test('a channel that requires approvals becomes public only with them, by whatever route', async () => {
  const [ann, bob, cem] = [await as('admin'), await as('operator'), await as('operator')]
  expect((await change({ publishChecks: checksWith(2) }))[0]).toBe(200)
  const refused = [409, expect.stringContaining('Others must approve first')]
  expect(await change({ access: 'public' }, ann)).toEqual(refused)
  // Nor in one step with checks that ask for none.
  expect(await change({ access: 'public', publishChecks: checksWith(0) }, ann)).toEqual(refused)

  const asked = await ask(null, ann)
  expect(asked).toMatchObject({ exportId: null, sha256: null, isOwn: true })
  expect((await ask(null, bob)).proposalId).toBe(asked.proposalId)
  expect(await approve(asked, ann)).toBe(403)
  expect(await approve(asked, await as('viewer'))).toBe(403)
  expect(await approve(asked, bob)).toBe(204)
  expect(await change({ access: 'public' }, ann)).toEqual(refused)
  // It says nothing about a publication, and the other way round.
  const ofBundle = await ask(first, ann)
  for (const who of [bob, cem]) expect(await approve(ofBundle, who)).toBe(204)
  expect(await change({ access: 'public' }, ann)).toEqual(refused)
  expect(await publish(second, ann)).toBe(409)
  expect(await publish(first, ann)).toBe(200)
  expect(await approve(asked, cem)).toBe(204)
  // Who lost the right to publish counts no more.
  await app.db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, cem.userId))
  expect(await change({ access: 'public' }, ann)).toEqual(refused)
  await app.db.update(users).set({ disabledAt: null }).where(eq(users.id, cem.userId))
  expect(await change({ access: 'public' }, ann)).toEqual([200, ''])
  expect((await read()).access).toBe('public')
  expect((await app.post(`${path}/proposals`, { exportId: null, note: null })).status).toBe(409)

  // The approvals are used up.
  expect((await change({ access: 'private' }, ann))[0]).toBe(200)
  expect(await change({ access: 'public' }, ann)).toEqual(refused)
  const made = await app.db
    .select({ action: auditEvents.action, details: auditEvents.details })
    .from(auditEvents)
    .where(eq(auditEvents.action, 'proposal.made'))
    .orderBy(auditEvents.auditId)
  expect(made.map(({ details }) => details)).toContainEqual(expect.objectContaining({ access: 'public' }))
})

test('only admins can override missing approvals or delete a channel that requires approvals', async () => {
  const ofChannel = await asChannelOperator()
  expect(await publish(second, ofChannel, 'Hurry.')).toBe(403)
  const read2 = async (headers: Headers) =>
    PublishChecks.parse(await (await app.get(`${path}/publish-checks?export=${second}`, only(headers))).json())
      .mayOverride
  expect([await read2(ofChannel), await read2({})]).toEqual([false, true])
  expect(await publish(second, {}, 'Hurry.')).toBe(200)

  const site = path.split('/channels')[0]!
  expect((await app.post(`${site}/channels`, { name: 'staging' })).status).toBe(200)
  const staging = Site.parse(await (await app.get(site)).json()).channels.at(-1)!
  await app.db
    .update(channels)
    .set({ publishChecks: checksWith(1) })
    .where(eq(channels.channelId, staging.channelId))
  const operator = await as('operator')
  const remove = async (headers: Headers) =>
    (await app.delete(`${site}/channels/${staging.channelId}`, only(headers))).status
  expect([await remove(operator), await remove({})]).toEqual([403, 204])
})
