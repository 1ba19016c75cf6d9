import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { agentPrompts } from '#records/agent-jobs/prompts/agent-prompts.table.ts'
import { agentJobsApp, key } from '#records/agent-jobs/testing/agent-jobs-app.ts'
import { wireJob } from '#records/agent-jobs/testing/stand-in.ts'
import { purgePrompts } from '#records/agent-jobs/remove-job.ts'

const day = 86_400_000

test('old prompts are deleted, except those of followed jobs, those with an open decision, and those of the last 30 days', async () => {
  const { db, upstream, clock, follow } = await agentJobsApp()
  upstream.has(wireJob())
  await follow(key)
  const prompt = (days: number, more: Partial<typeof agentPrompts.$inferInsert>) => ({
    requestId: randomUUID(),
    kind: 'creation' as const,
    projectId: 'docs',
    prompt: 'fix typos',
    state: 'accepted' as const,
    sentBy: 'Ada',
    sentAt: new Date(clock.ms - days * day),
    ...more,
  })
  await db
    .insert(agentPrompts)
    .values([
      prompt(40, { prompt: 'of a job that is gone', jobId: 'gone' }),
      prompt(40, { prompt: 'refused', state: 'refused' }),
      prompt(40, { prompt: 'forgotten', state: 'unknown', forgottenAt: new Date(clock.ms) }),
      prompt(40, { prompt: 'replaced', state: 'unknown', replacedBy: randomUUID() }),
      prompt(40, { prompt: 'of a followed job', jobId: key.id }),
      prompt(40, { prompt: 'to be decided about', state: 'unknown' }),
      prompt(29, { prompt: 'repeated, it would be sent again', state: 'refused' }),
    ])
  const left = async () =>
    (await db.select({ text: agentPrompts.prompt }).from(agentPrompts)).map(({ text }) => text).toSorted()

  expect(await db.transaction((tx) => purgePrompts(tx, { now: clock.ms, days: 365 }))).toBe(0)
  expect(await db.transaction((tx) => purgePrompts(tx, { now: clock.ms, days: 7 }))).toBe(4)
  const remaining = ['of a followed job', 'repeated, it would be sent again', 'to be decided about']
  expect(await left()).toEqual(remaining)
  // A clock that is years ahead deletes nothing that the database knows to be young.
  await db.insert(agentPrompts).values(prompt(0, { prompt: 'young', state: 'refused', sentAt: new Date() }))
  await db.transaction((tx) => purgePrompts(tx, { now: Date.now() + 3_650 * day, days: 7 }))
  expect(await left()).toContain('young')
})
