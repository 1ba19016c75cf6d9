import { startServer } from '@docket/sources/testing/git-server'
import { expect, test } from 'vitest'
import { canary, startCodeHost, type Kind } from '#testing/code-host-servers.ts'
import type { RecordedRequest } from '#testing/recorded-requests.ts'
import { toGithubApiUrl } from './github.ts'
import { toGitlabApiUrl } from './gitlab.ts'
import { findPullRequest, openOrFindPullRequest } from './pull-request-api.ts'
import { configureCodeHost } from './services.ts'

type Instead = Parameters<typeof startCodeHost>[2]

const open = async (kind: Kind, instead: Instead, token = canary) => {
  const host = await startCodeHost(kind, null, instead)
  const pauses: number[] = []
  const pause = async (ms: number) => void pauses.push(ms)
  const { api } = configureCodeHost({ kind, url: host.url, token: () => token }, pause).repositoryAt(host.repository)!
  const request = { branch: 'work', base: 'main', title: 'T', body: 'B\n /merge\n' }
  return {
    host,
    pauses,
    ask: () => openOrFindPullRequest(api, request, pause, undefined),
    find: () => findPullRequest(api, 'work', undefined),
  }
}

const post = (request: RecordedRequest) => request.method === 'POST'
const ours = { branch: 'work', base: 'main', title: 'T', state: 'open', merged: false } as const

test.each(['github', 'gitlab', 'gitea'] as const)(
  'a %s that refuses the token is reported after a single call',
  async (kind) => {
    const { ask, host } = await open(kind, () => null, 'expired')
    await expect(ask()).rejects.toThrow(/does not accept the token .*LOCAL_CODE_HOST_TOKEN/)
    expect(host.requests).toHaveLength(1)
  },
)

test.each(['github', 'gitlab', 'gitea'] as const)(
  'the pull request that a %s reports as existing is used, even if its list did not contain it before',
  async (kind) => {
    let lists = 0
    const { ask, host } = await open(kind, (request, really) => {
      if (post(request)) return null
      lists += 1
      return lists === 1 ? { status: 200, json: [] } : really()
    })
    host.pulls.push({ ...ours, number: 7 })
    expect(await ask()).toMatchObject({ number: 7, state: 'open' })
    expect(host.pulls).toHaveLength(1)
  },
)

test.each(['github', 'gitlab', 'gitea'] as const)(
  'on a %s a fork’s branch of the same name is ignored, and a merged pull request is found without its branch',
  async (kind) => {
    // Also where a filter is not understood, and everything is listed.
    const { ask, find, host } = await open(kind, (request, really) => {
      if (kind === 'github') request.query.delete('head')
      return really()
    })
    host.pulls.push({ ...ours, number: 1, origin: 'fork' })
    expect(await find()).toBeNull()
    expect(await ask()).toMatchObject({ number: 2, state: 'open' })
    host.pulls[1] = { ...ours, number: 2, state: 'closed', merged: true, origin: 'deleted branch' }
    host.pulls.push({ ...ours, number: 3, origin: 'fork' })
    expect(await find()).toMatchObject({ number: 2, state: 'merged' })
  },
)

test('the pull requests of a Gitea are read page by page until the branch is found or the list ends', async () => {
  const { find, host } = await open('gitea', () => null)
  const others = Array.from({ length: 120 }, (_, index) => ({ ...ours, number: index + 2, branch: `other-${index}` }))
  host.pulls.push(...others)
  expect(await find()).toBeNull()
  expect(host.requests.map(({ query }) => query.get('page'))).toEqual(['1', '2', '3', '4'])
  host.pulls.unshift({ ...ours, number: 1 })
  expect(await find()).toMatchObject({ number: 1 })
  expect(host.requests.slice(4).map(({ query }) => query.get('page'))).toEqual(['1', '2', '3'])
  expect(host.requests.every(({ query }) => query.get('limit') === '50')).toBe(true)
})

test('a lost response to opening a pull request does not open a second one', async () => {
  let posts = 0
  const { ask, host } = await open('github', (request, really) => {
    if (!post(request)) return null
    posts += 1
    really()
    return 'hang up'
  })
  expect(await ask()).toMatchObject({ number: 1 })
  expect([posts, host.pulls.length]).toEqual([1, 1])
})

test('a failing service is called exactly three times, and then named in the error', async () => {
  const { find, host, pauses } = await open('gitea', () => ({ status: 502, json: '<html>Bad gateway</html>' }))
  await expect(find()).rejects.toThrow(/Gitea at 127\.0\.0\.1:\d+ cannot do it at the moment: it answered 502/)
  expect(host.requests).toHaveLength(3)
  expect(pauses).toEqual([2_000, 8_000])
})

test('a short Retry-After is waited for, and a long one is reported as the error', async () => {
  let first = true
  const patient = await open('gitlab', () => {
    if (!first) return null
    first = false
    return { status: 429, json: 'Retry later', headers: { 'retry-after': '7', 'content-type': 'text/plain' } }
  })
  expect(await patient.find()).toBeNull()
  expect(patient.pauses).toEqual([7_000])
  const hour = String(Math.floor(Date.now() / 1000) + 3600)
  const spent = { status: 403, json: { message: 'API rate limit exceeded' } }
  const busy = await open('github', () => ({
    ...spent,
    headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': hour },
  }))
  await expect(busy.find()).rejects.toThrow(/asked too often and wants to be left alone for (59|60) minutes/)
  expect(busy.pauses).toEqual([])
  // GitHub documents a wait of at least a minute for a limit without a time.
  const secondary = await open('github', () => ({
    status: 403,
    json: { message: 'You have exceeded a secondary rate limit' },
  }))
  await expect(secondary.find()).rejects.toThrow('left alone for a while')
  expect(secondary.pauses).toEqual([60_000, 60_000])
  const often = { message: { error: 'This endpoint has been requested too many times. Try again later.' } }
  const endpoint = await open('gitlab', () => ({ status: 429, json: often, headers: { 'ratelimit-remaining': '595' } }))
  await expect(endpoint.find()).rejects.toThrow('left alone for a while')
  // The time is by the clock of the service, which may be another one.
  const elsewhere = { date: 'Thu, 01 Jan 2026 00:00:00 GMT', 'x-ratelimit-reset': '1767225620' }
  const skewed = await open('github', () => ({ ...spent, headers: { 'x-ratelimit-remaining': '0', ...elsewhere } }))
  await expect(skewed.find()).rejects.toThrow('left alone for 20 s')
  expect(skewed.pauses).toEqual([20_000, 20_000])
})

test('a pull request that was delayed by a rate limit is opened exactly once after the wait', async () => {
  let posts = 0
  const { ask, host, pauses } = await open('github', (request) => {
    if (!post(request)) return null
    posts += 1
    return posts > 1 ? null : { status: 429, json: { message: 'Slow down' }, headers: { 'retry-after': '30' } }
  })
  expect(await ask()).toMatchObject({ number: 1 })
  expect([posts, host.pulls.length, pauses]).toEqual([2, 1, [30_000]])
})

test.each([
  [
    'github',
    403,
    { message: 'Resource not accessible by personal access token' },
    /not accessible.*needs the permissions “Contents”/,
  ],
  [
    'gitlab',
    403,
    { error: 'insufficient_scope', error_description: 'The request requires higher privileges', scope: 'api' },
    /higher privileges”\)\. The token needs the scopes api/,
  ],
  [
    'gitea',
    403,
    { message: 'token does not have at least one of required scope(s): [write:repository]' },
    /required scope/,
  ],
  ['github', 404, { message: 'Not Found' }, /has no repository acme\/handbook, or the token may not see it/],
  [
    'github',
    422,
    { message: 'Validation Failed', errors: [{ message: 'No commits between main and work' }] },
    /answered 422 \(“Validation Failed; No commits between main and work”\)/,
  ],
  [
    'github',
    422,
    { message: 'Validation Failed', errors: [{ resource: 'PullRequest', field: 'base', code: 'invalid' }] },
    /“Validation Failed; base: invalid”/,
  ],
  ['gitea', 423, { message: 'Repo is archived.' }, /answered 423 \(“Repo is archived\.”\)/],
  ['gitlab', 404, { message: '404 Project Not Found' }, /has no repository acme\/docs\/handbook/],
  ['gitlab', 400, { message: { target_branch: ["can't be blank"] } }, /answered 400 \(“can't be blank”\)/],
  ['gitlab', 409, { message: ['The source branch is locked'] }, /answered 409/],
  ['github', 200, '<html><title>Sign in</title></html>', /a page instead of data.*LOCAL_CODE_HOST_URL/],
  [
    'github',
    201,
    { number: 'one', html_url: 'https://x' },
    /answer of GitHub is not as its API documents it \(number\)/,
  ],
  ['github', 201, [], /not as its API documents it/],
] as const)('%s answering %i to a new pull request is a sentence to act on', async (kind, status, json, sentence) => {
  const { ask, host } = await open(kind, (request) => (post(request) ? { status, json } : null))
  await expect(ask()).rejects.toThrow(sentence)
  expect(host.requests.filter(post)).toHaveLength(1)
})

test('no error contains any part of the token, wherever a service repeats it', async () => {
  const piece = canary.slice(0, 8)
  for (let length = 270; length <= 300; length += 5) {
    const { ask } = await open('gitea', () => ({ status: 403, json: { message: `${'x'.repeat(length)} ${canary}` } }))
    const error = await ask().catch((caught: unknown) => caught)
    expect(String(error)).toContain('xxx')
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(piece)
  }
})

test.each(['', `${canary}\n`, `${canary}\r\nhost: evil`, `${canary} `, 'tök'])(
  'a malformed token is never sent and never shown',
  async (token) => {
    const { ask, host } = await open('gitlab', () => null, token)
    const error = await ask().catch((caught: unknown) => String(caught))
    expect(error).toContain('The token for GitLab is empty, or has characters that no token has')
    expect(error).not.toContain(canary)
    expect(host.requests).toEqual([])
  },
)

test('the token is not sent to the target of a redirect', async () => {
  const elsewhere: unknown[] = []
  const other = await startServer((request, response) => {
    elsewhere.push(request.headers)
    response.end('[]')
  })
  for (const status of [301, 302, 307, 308]) {
    const { find } = await open('github', () => ({ status, json: '', headers: { location: `${other.url}/x` } }))
    await expect(find()).rejects.toThrow(/at another address now/)
  }
  expect(elsewhere).toEqual([])
})

test('an endless response is cut off', async () => {
  const { find } = await open('github', () => ({ status: 200, json: `[${'0,'.repeat(3_000_000)}0]` }))
  await expect(find()).rejects.toThrow('too large to be one')
})

test.each([
  ['http://evil.example/pull/1', null],
  ['javascript:alert(1)', null],
  ['https://user:secret@git.example.com/1', null],
  ['/pull/1', null],
  [42, null],
  [undefined, null],
  ['https://git.example.com/acme/handbook/pulls/1', 'https://git.example.com/acme/handbook/pulls/1'],
])('the pull request address %s of a service is linked as %s', async (address, linked) => {
  const { ask } = await open('gitea', (request, really) => {
    if (!post(request)) return null
    const { status, json } = really()
    return { status, json: { ...(json as object), html_url: address } }
  })
  expect(await ask()).toEqual({ number: 1, url: linked, state: 'open' })
})

test('a line of a report never acts as a GitLab quick action', async () => {
  const { ask, host } = await open('gitlab', () => null)
  await ask()
  expect((JSON.parse(host.requests.find(post)!.body) as { description: string }).description).toBe('B\n \\/merge\n')
})

test('each kind of code host is called at its documented API address, and only with a valid repository path', () => {
  expect(toGithubApiUrl('https://github.com')).toBe('https://api.github.com')
  expect(toGithubApiUrl('https://acme.ghe.com')).toBe('https://api.acme.ghe.com')
  expect(toGithubApiUrl('https://git.acme.example')).toBe('https://git.acme.example/api/v3')
  expect(toGitlabApiUrl('https://acme.example/gitlab/')).toBe('https://acme.example/gitlab/api/v4')
  const at = (kind: Kind, url: string | null, address: string) =>
    configureCodeHost({ kind, url, token: () => 'x' }, () => Promise.resolve()).repositoryAt(address) !== null
  expect(at('github', null, 'https://github.com/acme/handbook.git')).toBe(true)
  expect(at('github', 'https://api.github.com', 'https://github.com/acme/handbook')).toBe(true)
  expect(at('github', null, 'https://github.com.evil.example/acme/handbook')).toBe(false)
  expect(at('github', null, 'https://evil.github.com/acme/handbook')).toBe(false)
  expect(at('github', null, 'https://github.com/acme/handbook/more')).toBe(false)
  expect(at('github', null, 'https://github.com/acme/a%2Fb')).toBe(false)
  expect(at('gitlab', 'https://a.example/git', 'https://a.example/git/x/y/z.git')).toBe(true)
  expect(at('gitlab', 'https://a.example/git', 'https://a.example/gitter/y.git')).toBe(false)
  expect(at('gitlab', 'https://a.example', 'http://a.example/x/y.git')).toBe(false)
  expect(() => at('gitea', null, 'https://a.example/x/y')).toThrow('LOCAL_CODE_HOST_URL')
  expect(() => at('gitea', 'http://a.example', 'http://a.example/x/y')).toThrow('https')
})
