import type { AgentJob } from '@docket/api-types/agent-jobs'
import { History } from '@docket/api-types/history'
import { expect, test } from 'vitest'
import { agentJobsApp, key, toPath } from '#records/agent-jobs/testing/agent-jobs-app.ts'
import { completedJob, story, wireJob } from '#records/agent-jobs/testing/stand-in.ts'

const link = 'https://github.com/acme/docs/pull/12'

const storyApp = async () => {
  const app = await agentJobsApp({ embedded: true })
  const { upstream, follow, nextCheck, list, get } = app
  let isFollowed = false
  return {
    ...app,
    /** Lets the service say this of the job, and reads it. */
    tell: async (more: object): Promise<AgentJob> => {
      upstream.has(wireJob({ ...story, ...more }))
      if (isFollowed) return nextCheck()
      isFollowed = true
      const [result] = await follow(key)
      return result!.job!
    },
    groups: async () => {
      const { counts } = await list()
      return [counts.attention, Object.entries(counts.groups).flatMap(([group, n]) => (n > 0 ? [group] : []))]
    },
    kinds: async () =>
      History.parse(await (await get(toPath(key, '/history'))).json()).events.map(({ kind, to }) =>
        to === null ? kind : `${kind} ${to}`,
      ),
  }
}

test('a job shows whether it is waiting, working, ready or merged, and needs no attention', async () => {
  const { tell, groups, kinds } = await storyApp()
  expect(await tell({ startedAt: null, queuePosition: 2 })).toMatchObject({ meaning: 'waiting', queuePosition: 2 })
  expect(await tell({ lastLine: 'Reading guide.md' })).toMatchObject({
    meaning: 'working',
    summary: 'Reading guide.md',
    queuePosition: null,
    hasLog: true,
    actions: { cancel: null, archive: 'This job isn’t over yet. Cancel it first.' },
  })
  expect(await groups()).toEqual([0, ['working']])
  const diffStat = { files: 1, added: 2, removed: 0 }
  const pullRequest = { number: 12, title: 'Fix links', state: 'open', checks: 'passing', mergeable: true }
  const ready = { status: 'completed', prLink: link, report: '# Fixed 2 links\nIn guide.md.', diffStat }
  expect(await tell({ ...ready, pullRequest })).toMatchObject({
    meaning: 'pull_request_ready',
    title: 'Fix links',
    summary: 'Fixed 2 links',
    diffStat,
    pullRequest: { ...pullRequest, knownFrom: 'service', checkedAt: null },
    actions: { cancel: 'This job is over.', archive: null },
  })
  expect(await groups()).toEqual([0, ['pull_request_ready']])
  expect((await tell({ ...ready, pullRequest: { ...pullRequest, state: 'merged' } })).meaning).toBe('merged')
  expect(await groups()).toEqual([0, ['merged']])
  expect(await kinds()).toEqual([
    'followed active',
    'begun',
    'completed',
    `pull_request_reported ${link}`,
    'pull_request_merged',
  ])
})

test('a failed job shows its reason, a cancelled job is not failed, and only a report can state that no change was needed', async () => {
  const { tell, groups } = await storyApp()
  const error = 'Resource protected by organization SAML enforcement.\nAsk an admin.'
  expect(await tell({ status: 'failed', error })).toMatchObject({
    meaning: 'failed',
    summary: 'Resource protected by organization SAML enforcement.',
    error,
  })
  expect(await groups()).toEqual([1, ['failed']])
  expect(await tell({ status: 'failed', error: 'cancelled' })).toMatchObject({ meaning: 'cancelled', summary: null })
  expect(await groups()).toEqual([0, ['cancelled']])
  expect((await tell({ status: 'completed' })).meaning).toBe('finishing')
  expect(await tell({ status: 'completed', report: 'Nothing to change: 80 links, all fine.' })).toMatchObject({
    meaning: 'nothing_to_change',
    summary: 'Nothing to change: 80 links, all fine.',
  })
  expect(await groups()).toEqual([0, ['no_pull_request']])
})

test('a person can mark the state of a pull request until the service reports it, and a new link clears the mark', async () => {
  const { tell, post, groups, kinds, read } = await storyApp()
  const mark = async (state: string | null) => (await post(toPath(key, '/pull-request'), { state })).status
  await tell({})
  expect(await mark('merged')).toBe(409)
  const ready = { status: 'completed', prLink: link }
  await tell(ready)
  expect([await mark('merged'), await mark('merged'), await mark('exploded')]).toEqual([200, 200, 400])
  expect(await tell(ready)).toMatchObject({ meaning: 'merged', pullRequest: { state: 'merged', knownFrom: 'person' } })
  expect(await groups()).toEqual([0, ['merged']])
  expect(await mark(null)).toBe(200)
  expect(await groups()).toEqual([0, ['pull_request_ready']])
  await mark('closed')
  expect(await tell({ ...ready, prLink: `${link}3` })).toMatchObject({ pullRequest: { state: null, number: 123 } })
  expect((await tell({ ...ready, pullRequest: { state: 'open' } })).pullRequest?.knownFrom).toBe('service')
  expect(await mark('merged')).toBe(409)
  expect((await read()).meaning).toBe('pull_request_ready')
  expect((await kinds()).filter((kind) => kind.startsWith('pull_request_marked'))).toEqual([
    'pull_request_marked merged',
    'pull_request_marked',
    'pull_request_marked closed',
  ])
})

test('the search finds words of prompts, reasons and reports, and a job is titled with its prompt', async () => {
  const { upstream, create, message, list, get } = await storyApp()
  upstream.onPost(({ path }) => ({
    status: path.endsWith('/message') ? 200 : 201,
    body: wireJob({
      ...story,
      title: 'The service’s own',
      ...(path.endsWith('/message') && { status: 'failed', error: 'Out of quota' }),
    }),
  }))
  await create({ prompt: '  \n# Rename Bluebird to Falcon\nIn every page.' })
  const titles = async (q: string) => (await list(`?q=${q}`)).items.map(({ title }) => title)
  expect(await titles('every+bluebird')).toEqual(['Rename Bluebird to Falcon'])
  await message({ prompt: 'Also in the glossary' })
  expect([await titles('glossary'), await titles('quota'), await titles('nowhere')]).toEqual([
    ['Rename Bluebird to Falcon'],
    ['Rename Bluebird to Falcon'],
    [],
  ])
  expect((await list()).items[0]).toMatchObject({ askedBy: 'The admin', summary: 'Out of quota' })
  const csv = await (await get('/api/agent-jobs/export.csv')).text()
  expect(csv).toContain('Rename Bluebird to Falcon,The admin,failed,failed,Out of quota')
  expect(await (await get('/api/activity')).text()).toContain('Rename Bluebird to Falcon')
})

test('the nine contract fields are enough to show the card of a job', async () => {
  const { upstream, follow, post } = await agentJobsApp()
  upstream.has(completedJob({ prLink: link }))
  const [result] = await follow(key)
  expect(result?.job).toMatchObject({
    title: 'Agent job of acme/docs',
    pullRequest: { number: 12, state: null },
    hasLog: false,
  })
  for (const action of ['/cancel', '/archive']) expect((await post(toPath(key, action))).status).toBe(409)
  expect(upstream.posts).toEqual([])
})
