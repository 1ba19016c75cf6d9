import { expect, test } from 'vitest'
import { CodeHostError } from '#code-host-error.ts'
import { configureCodeHost } from '#api/services.ts'
import { canary, type Kind, startCodeHost } from '#testing/code-host-servers.ts'

type Instead = Parameters<typeof startCodeHost>[2]

const kinds = ['github', 'gitlab', 'gitea'] as const
const pull = { number: 7, branch: 'docs/fix', base: 'main', title: 'Fix a link', state: 'open', merged: false } as const

const open = async (kind: Kind, instead?: Instead, token = canary) => {
  const host = await startCodeHost(kind, null, instead)
  const spent: number[] = []
  const service = { kind, url: host.url, token: () => token, readOnly: true, onSpent: (ms: number) => spent.push(ms) }
  const codeHost = configureCodeHost(service, () => Promise.reject(new Error('a read is never repeated')))
  const failure = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => expect.unreachable(),
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(CodeHostError)
    return error as CodeHostError
  }
  const read = (number = 7) => codeHost.pullRequestAt(host.toPage(number))!.read()
  return { ...codeHost, host, spent, failure, read }
}

test.each(kinds)('the state of a pull request on a %s is read as draft, open, merged or closed', async (kind) => {
  const { host, read } = await open(kind)
  const about = { number: 7, title: 'Fix a link', branch: 'docs/fix' }
  for (const [now, told] of [
    [
      { check: 'success', conflicts: false },
      { state: 'open', checks: 'passing', mergeable: true },
    ],
    [
      { check: 'failure', conflicts: true },
      { state: 'open', checks: 'failing', mergeable: false },
    ],
    [
      { check: 'pending', draft: true },
      { state: 'draft', checks: 'pending', mergeable: null },
    ],
    [{ conflicts: false }, { state: 'open', checks: null, mergeable: true }],
    [{ state: 'closed' }, { state: 'closed', checks: null, mergeable: null }],
    [
      { state: 'closed', merged: true },
      { state: 'merged', checks: null, mergeable: null },
    ],
  ] as const) {
    host.pulls.splice(0, 1, { ...pull, ...now })
    expect(await read()).toEqual({ ...about, ...told })
  }
})

test.each(kinds)(
  'an unchanged pull request on a %s is read with its ETag, so its body is not sent again',
  async (kind) => {
    const { host, read } = await open(kind)
    host.pulls.push({ ...pull, check: 'success' })
    const first = await read()
    const calls = host.requests.length
    expect(await read()).toEqual(first)
    const again = host.requests.slice(calls)
    expect(again).toHaveLength(calls)
    expect(again.every(({ headers }) => headers['if-none-match'] !== undefined)).toBe(true)
  },
)

test.each(kinds)(
  'a %s pull request that is missing or invisible to the token is reported after a single call',
  async (kind) => {
    const none = await open(kind)
    const missing = await none.failure(none.read())
    expect(missing).toMatchObject({ kind: 'missing', message: expect.stringContaining('no pull request 7 in acme/') })
    expect(none.host.requests).toHaveLength(1)
    const secret = await open(kind, () => ({ status: 403, json: { message: `no, ${canary}` } }))
    const forbidden = await secret.failure(secret.read())
    expect(forbidden.kind).toBe('forbidden')
    expect(forbidden.message).not.toContain(canary)
    const expired = await open(kind, undefined, 'expired')
    expect((await expired.failure(expired.read())).message).toContain('put a valid one in LOCAL_CODE_HOST_TOKEN')
  },
)

test.each(['github', 'gitea'] as const)(
  'a token that may not read the checks of a %s still reads the state of a pull request',
  async (kind) => {
    const { host, read } = await open(kind, ({ path }) =>
      path.includes('/commits/') ? { status: 403, json: { message: 'Resource not accessible' } } : null,
    )
    host.pulls.push({ ...pull, check: 'failure' })
    expect(await read()).toMatchObject({ state: 'open', checks: null })
  },
)

test.each([
  ['github', 'x-ratelimit'],
  ['gitlab', 'ratelimit'],
] as const)(
  'when the rate limit of a %s is used up, the wait until the next call is reported',
  async (kind, header) => {
    const date = 'Thu, 01 Jan 2026 00:00:00 GMT'
    const headers = { date, [`${header}-remaining`]: '0', [`${header}-reset`]: '1767225720' }
    const { host, read, spent, failure } = await open(kind, (request, really) => ({ ...really(), headers }))
    host.pulls.push({ ...pull, state: 'closed' })
    expect(await read()).toMatchObject({ state: 'closed' })
    expect(spent).toEqual([120_000])
    const limited = await open(kind, () => ({ status: 429, json: { message: 'Slow down' }, headers }))
    expect(await failure(limited.read())).toMatchObject({ kind: 'limited', waitMs: 120_000 })
  },
)

test.each(kinds)('the token of a %s is tested without a repository', async (kind) => {
  const { testToken, host } = await open(kind)
  await expect(testToken()).resolves.toBeUndefined()
  expect(host.requests).toHaveLength(1)
  const wrong = await open(kind, undefined, 'wrong')
  await expect(wrong.testToken()).rejects.toThrow(/does not accept the token/)
  const other = await open(kind, () => ({ status: 404, json: { message: 'Not Found' } }))
  await expect(other.testToken()).rejects.toThrow(/There is no API of/)
})

test('only a pull request of exactly the configured code host is read, at an address built from its parts', async () => {
  const at = (kind: Kind, url: string, link: string) =>
    configureCodeHost({ kind, url, token: () => 'x' }, () => Promise.resolve()).pullRequestAt(link)?.number ?? null
  const github = (link: string) => at('github', 'https://github.com', link)
  expect(github('https://github.com/acme/handbook/pull/12')).toBe(12)
  expect(github('https://github.com/acme/handbook/pull/12/?tab=checks#top')).toBe(12)
  for (const link of [
    'http://github.com/acme/handbook/pull/12',
    'https://github.com:444/acme/handbook/pull/12',
    'https://github.com.evil.example/acme/handbook/pull/12',
    'https://github.com@evil.example/acme/handbook/pull/12',
    'https://me:hunter2@github.com/acme/handbook/pull/12',
    'https://api.github.com/acme/handbook/pull/12',
    'https://github.com/acme/handbook/pull/12/files',
    'https://github.com/acme/handbook/pull/0',
    'https://github.com/acme/handbook/pull/99999999999',
    'https://github.com/acme/handbook/pulls/12',
    'https://github.com/acme/handbook/more/pull/12',
    'https://github.com/acme/a%2Fb/pull/12',
    'https://github.com/acme/%2e%2e%2fadmin/pull/12',
    'https://github.com/acme/hand%0Abook/pull/12',
    'https://github.com/%2e%2e/acme/handbook/pull/12/../../x',
    'not an address',
  ])
    expect([link, github(link)]).toEqual([link, null])
  const gitlab = (link: string) => at('gitlab', 'https://acme.example/git', link)
  expect(gitlab('https://acme.example/git/a/b/c/-/merge_requests/3')).toBe(3)
  expect(gitlab('https://acme.example/a/b/-/merge_requests/3')).toBeNull()
  expect(gitlab('https://acme.example/gitter/a/b/-/merge_requests/3')).toBeNull()
  expect(at('gitea', 'https://git.example:8443', 'https://git.example:8443/a/b/pulls/4')).toBe(4)
  const { host, read } = await open('gitlab')
  host.pulls.push(pull)
  await read()
  expect(host.requests.map(({ path }) => path)).toEqual(['/api/v4/projects/acme%2Fdocs%2Fhandbook/merge_requests/7'])
})
