import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { defaultPublishChecks } from '@docket/api-types/publish-checks'
import { users } from '#people/accounts/accounts.table.ts'
import { grants } from '#people/accounts/grants.table.ts'
import { auditEvents } from '#ground/audit/audit.table.ts'
import { acceptedFindings } from '#bundles/artifacts/artifacts.table.ts'
import { changeChannel } from '#releases/channels/channels.ts'
import { publishArtifact as publishBundle } from '#releases/channels/publish.ts'
import { admin, toRole, siteKit, toPerson, toToken } from '#testing/site-kit.ts'
import { approveProposal, requestApprovals, withdrawApproval, withdrawProposal } from './approvals.ts'
import { readPublishChecks } from './may-publish.ts'

const leak = {
  fingerprint: 'a'.repeat(32),
  level: 'leaks',
  rule: 'outside-image',
  sentence: 'Pages load an image from cdn.example.',
  target: 'cdn.example',
  total: 1,
  seenBy: 'check',
}

const kit = async () => {
  const made = await siteKit({ readsReports: true })
  onTestFinished(made.close)
  return made
}
const readCode = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error: unknown) => (error as { code?: string }).code ?? String(error),
  )

/** An operator with an account, whose rights the database has. */
const operator = async ({ db }: Awaited<ReturnType<typeof kit>>, name: string) => {
  const sender = toPerson(toRole('operator'), [], name)
  const id = sender.actor.id!
  await db.insert(users).values({ id, name, email: `${name.toLowerCase()}@example.com`, role: 'operator' })
  return { ...sender, id }
}

test('a bundle with a new leak is refused until the leak is accepted or the checks are overridden', async () => {
  const here = await kit()
  const { sites } = here
  const [first, second] = [
    await here.completeAndStore('[]a'),
    await here.completeAndStore(`${JSON.stringify([leak])}b`),
  ]
  await here.publish(first)
  const { key, version } = await here.channelOf('production')
  const publish = (sender = admin, override: string | null = null) =>
    publishBundle(sites, key, { version, exportId: second, note: null, override }, sender)
  const read = await readPublishChecks(sites, key, second, admin)
  expect(read).toMatchObject({ passed: false, isShown: false, version, mayOverride: true, against: { number: 1 } })
  expect(read.checks.find(({ condition }) => condition === 'new_leaks')).toEqual({
    condition: 'new_leaks',
    state: 'failed',
    sentence: '1 new outside request: Pages load an image from cdn.example.',
  })
  await expect(publish()).rejects.toThrow('1 new outside request: Pages load an image from cdn.example.')
  expect(await readCode(publish(toPerson(toRole('operator')), 'Hurry.'))).toBe('forbidden')
  await here.db.insert(acceptedFindings).values({
    siteId: key.siteId,
    fingerprint: leak.fingerprint,
    reason: 'Ours.',
    by: 'Ada',
    at: new Date(),
  })
  expect((await readPublishChecks(sites, key, second, admin)).passed).toBe(true)
  await publish()
  expect((await here.channelOf('production')).current).toMatchObject({ number: 2, overrideReason: null })
})

test('approvals count for one bundle, and only from other people who may still publish', async () => {
  const here = await kit()
  const { sites } = here
  const [first, second] = [await here.completeAndStore('[]a'), await here.completeAndStore('[]b')]
  const { key } = await here.channelOf('production')
  await changeChannel(sites, key, { version: 0, publishChecks: { ...defaultPublishChecks, approvals: 2 } }, admin)
  const [ann, bob, cem] = [await operator(here, 'Ann'), await operator(here, 'Bob'), await operator(here, 'Cem')]
  const publish = () => publishBundle(sites, key, { version: 1, exportId: first, note: null, override: null }, ann)
  expect(await readCode(publish())).toBe('conflict')
  expect(
    await readCode(requestApprovals(sites, key, { exportId: first, note: null }, toPerson(toRole('viewer')))),
  ).toBe('forbidden')

  const asked = await requestApprovals(sites, key, { exportId: first, note: 'Ready.' }, ann)
  const ofFirst = { ...key, proposalId: asked.proposalId }
  expect(asked).toMatchObject({ askedBy: 'Ann', isOwn: true, note: 'Ready.', approvals: [] })
  expect(await requestApprovals(sites, key, { exportId: first, note: null }, bob)).toMatchObject({ askedBy: 'Ann' })
  expect(await readCode(approveProposal(sites, ofFirst, ann))).toBe('forbidden')
  expect(await readCode(approveProposal(sites, ofFirst, toToken('operate', {})))).toBe('forbidden')
  await Promise.all([
    approveProposal(sites, ofFirst, bob),
    approveProposal(sites, ofFirst, bob),
    approveProposal(sites, ofFirst, cem),
  ])
  expect((await readPublishChecks(sites, key, first, ann)).passed).toBe(true)
  await withdrawApproval(sites, ofFirst, cem)
  expect(await readCode(publish())).toBe('conflict')
  await approveProposal(sites, ofFirst, cem)

  // A proposal for other bytes starts anew.
  const ofSecond = {
    ...key,
    proposalId: (await requestApprovals(sites, key, { exportId: second, note: null }, bob)).proposalId,
  }
  expect(await readCode(approveProposal(sites, ofFirst, cem))).toBe('conflict')
  expect(await readCode(withdrawProposal(sites, ofSecond, cem))).toBe('forbidden')
  await withdrawProposal(sites, ofSecond, bob)
  const again = await requestApprovals(sites, key, { exportId: first, note: null }, ann)
  const latest = { ...key, proposalId: again.proposalId }
  await approveProposal(sites, latest, bob)
  await approveProposal(sites, latest, cem)
  await here.db.delete(grants).where(eq(grants.userId, cem.id))
  expect((await readPublishChecks(sites, key, first, ann)).proposal!.approvals.map(({ by }) => by)).toEqual(['Bob'])
  expect(await readCode(publish())).toBe('conflict')
  await here.db.insert(grants).values({ userId: cem.id, role: 'operator', createdAt: new Date() })
  await publish()
  expect((await readPublishChecks(sites, key, first, ann)).proposal).toBeNull()
  const rows = await here.db.select({ action: auditEvents.action }).from(auditEvents).orderBy(auditEvents.auditId)
  const actions = rows.map(({ action }) => action).filter((action) => action.startsWith('proposal.'))
  const count = (action: string) => actions.filter((one) => one === `proposal.${action}`).length
  expect(['made', 'approved', 'approval_withdrawn', 'withdrawn'].map(count)).toEqual([3, 5, 1, 1])
})
