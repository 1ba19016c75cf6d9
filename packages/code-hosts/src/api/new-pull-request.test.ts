import { expect, test } from 'vitest'
import { canary, startCodeHost, type Kind } from '#testing/code-host-servers.ts'
import { openOrFindPullRequest } from './pull-request-api.ts'
import { configureCodeHost } from './services.ts'

const open = async (kind: Kind, instead?: Parameters<typeof startCodeHost>[2]) => {
  const host = await startCodeHost(kind, null, instead)
  const pause = () => Promise.resolve()
  const { api } = configureCodeHost({ kind, url: host.url, token: () => canary }, pause).repositoryAt(host.repository)!
  const create = (branch: string, reviewers: string[]) =>
    openOrFindPullRequest(
      api,
      { branch, base: 'main', title: 'T', body: 'B', draft: true, labels: ['docs'], reviewers },
      pause,
      undefined,
    )
  return { host, api, create }
}

test.each([
  ['github', { draft: true, title: 'T', labels: ['docs'], reviewers: ['alice'], team_reviewers: ['writers'] }],
  ['gitlab', { title: 'Draft: T', labels: 'docs', reviewer_ids: [11] }],
  ['gitea', { title: 'WIP: T', labels: [5], reviewers: ['alice'] }],
] as const)('on %s a new pull request is a draft with its labels and reviewers', async (kind, more) => {
  const { host, api, create } = await open(kind)
  const link = await create('docs-agent/1', kind === 'github' ? ['alice', 'acme/writers'] : ['alice'])
  expect(link).not.toHaveProperty('notes')
  expect(host.pulls[0]?.more).toMatchObject(more)
  host.pulls.push({ ...host.pulls[0]!, number: 2, branch: 'theirs', origin: 'fork' })
  host.pulls.push({ ...host.pulls[0]!, number: 3, branch: 'docs-agent/3', state: 'closed' })
  for (let number = 4; number < 130; number += 1) host.pulls.push({ ...host.pulls[0]!, number, branch: `b${number}` })
  const branches = await api.listOpenBranches()
  expect([branches.length, branches.at(-1)]).toEqual([127, 'docs-agent/1'])
})

test.each(['github', 'gitlab', 'gitea'] as const)(
  'on %s an unknown reviewer is reported, and the pull request is kept',
  async (kind) => {
    const { host, create } = await open(kind)
    const link = await create('docs-agent/1', ['nobody'])
    expect(link).toMatchObject({ number: 1, state: 'open' })
    expect(link.notes?.join()).toMatch(/The pull request is incomplete\. .*(not a collaborator|no user nobody)/)
    expect(host.pulls).toHaveLength(1)
  },
)

test('on a GitHub without drafts, an ordinary pull request is opened and that is reported', async () => {
  const message = 'Draft pull requests are not supported in this repository.'
  const { host, create } = await open('github', ({ method, body }) =>
    method === 'POST' && body.includes('"draft":true') ? { status: 422, json: { message, errors: [] } } : null,
  )
  const link = await create('docs-agent/1', [])
  expect(link.notes).toEqual(['This repository has no drafts, so the pull request is open.'])
  expect(host.pulls).toHaveLength(1)
})
