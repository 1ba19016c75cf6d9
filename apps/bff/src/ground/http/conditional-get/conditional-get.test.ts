import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { AppEnv } from '#ground/http/app-env.ts'
import { createConditionalGet } from './conditional-get.ts'

const Page = z.object({
  items: z.array(z.object({ id: z.int(), text: z.string() })),
  nextCursor: z.string().nullable(),
  counts: z.object({ all: z.int() }),
})
type Item = z.infer<typeof Page>['items'][number]

const token = {
  kind: 'token',
  tokenId: '1',
  name: 'CI',
  role: 'viewer',
  projectIds: null,
  connectionIds: null,
  operates: [],
  prompts: false,
  owner: { userId: null, name: 'Ann' },
  sites: null,
  siteGrants: [],
} as const

const toRow = (id: number): Item => ({ id, text: `the text of row ${id}, which is as long as texts are` })

/** One address, `/list`, whose rows a test changes. `made` counts how often its answer was made. */
const list = (rows: Item[] = Array.from({ length: 50 }, (_, id) => toRow(id))) => {
  const state = { rows, version: 1, nowMs: 1_000, until: null as number | null, made: 0, polls: 0, fails: false }
  const polled = createConditionalGet()
  const current = async () => ({
    tag: `${'3f2504e0-4f89-41d3-9a0c-0305e82c3301-'.repeat(5)}${state.version}`,
    now: state.nowMs,
  })
  const app = new Hono<AppEnv>().get('*', (c) => {
    const domain = c.req.header('x-domain')
    if (domain !== undefined) c.set('identity', { ...token, domains: [domain] })
    const connection = c.req.header('x-connection')
    if (connection !== undefined) c.set('identity', { ...token, domains: null, connectionIds: [connection] })
    return polled.send(c, {
      current,
      schema: Page,
      read: async () => {
        state.made += 1
        const value = {
          items: state.rows,
          nextCursor: null,
          counts: { all: state.rows.length },
          secret: 'not declared',
        }
        await new Promise((resolve) => setImmediate(resolve))
        if (state.fails) throw new Error('away')
        return { value, until: state.until, onPoll: () => void (state.polls += 1) }
      },
    })
  })
  app.onError((error, c) => c.text(error.message, 500))
  const get = async (headers: Record<string, string> = {}, path = '/list') => app.request(path, { headers })
  const change = (next: Item[]) => {
    state.rows = next
    state.version += 1
  }
  const readTag = (response: Response) => response.headers.get('etag') ?? ''
  return { state, get, change, readTag }
}

test('simultaneous polls share one build of the page, which is cached for the next', async () => {
  const { state, get, change } = list()
  const answers = await Promise.all(Array.from({ length: 100 }, () => get()))
  await get()
  expect(state.made).toBe(1)
  expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1)
  change([toRow(1)])
  expect((await (await get()).json()) as unknown).toMatchObject({ counts: { all: 1 } })
  expect(state).toMatchObject({ made: 2, polls: 102 })
})

test('an unchanged list is answered 304 without a build, and counts as a view of the page', async () => {
  const { state, get, readTag } = list()
  const tag = readTag(await get())
  const brotliTag = tag.replace(/"$/, '+br"')
  for (const [header, expectedTag] of [
    [tag, tag],
    [`W/${tag}`, tag],
    [`"other", ${tag}`, tag],
    [brotliTag, brotliTag],
  ] as const) {
    const answer = await get({ 'if-none-match': header })
    expect([answer.status, readTag(answer), await answer.text()]).toEqual([304, expectedTag, ''])
  }
  expect((await get({ 'if-none-match': tag.slice(0, -2) + '"' })).status).toBe(200)
  expect(state).toMatchObject({ made: 1, polls: 6 })
})

test('a page is answered 304 after a change of the list that it does not show', async () => {
  const { get, change, state, readTag } = list()
  const tag = readTag(await get())
  change(state.rows)
  expect((await get({ 'if-none-match': tag })).status).toBe(304)
  expect(state.made).toBe(2)
})

test('the next poll of a page returns a change that the page shows', async () => {
  const { get, change, state, readTag } = list()
  const tag = readTag(await get())
  change(state.rows.slice(1))
  const answer = await get({ 'if-none-match': tag })
  expect([answer.status, Page.parse(await answer.json()).items]).toEqual([200, state.rows])
  expect(readTag(answer)).not.toBe(tag)
})

test('a time-dependent response is not answered 304 after the time when it changes', async () => {
  const { state, get, readTag } = list()
  state.until = 2_000
  const tag = readTag(await get())
  state.nowMs = 1_999
  expect((await get({ 'if-none-match': tag })).status).toBe(304)
  state.nowMs = 2_000
  state.until = null
  state.rows = [toRow(7)]
  const answer = await get({ 'if-none-match': tag })
  expect([answer.status, ((await answer.json()) as { items: Item[] }).items]).toEqual([200, [toRow(7)]])
})

test('a failed build fails every request that waited for it, and the next request builds again', async () => {
  const { state, get } = list()
  state.fails = true
  const failed = await Promise.all([get(), get()])
  expect([failed.map(({ status }) => status), state.made]).toEqual([[500, 500], 1])
  state.fails = false
  expect((await get()).status).toBe(200)
})

test('fields that the contract does not declare are never sent', async () => {
  const { get } = list()
  expect(await (await get()).text()).not.toContain('secret')
})

const codings = [
  ['br', 'gzip, deflate, br', brotliDecompressSync],
  ['gzip', 'gzip;q=0.5, br;q=0', gunzipSync],
  [null, 'identity', (bytes: Buffer) => bytes],
] as const

test.each(codings)(
  'with the coding %s the JSON is the same, and its tag is still recognised',
  async (coding, accepted, decode) => {
    const { get, readTag } = list()
    const plain = await (await get()).text()
    const answer = await get({ 'accept-encoding': accepted })
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(decode(bytes).toString()).toBe(plain)
    expect(answer.headers.get('content-encoding')).toBe(coding)
    expect(answer.headers.get('content-length')).toBe(String(bytes.length))
    expect(answer.headers.get('vary')).toMatch(/accept-encoding/i)
    expect((await get({ 'if-none-match': readTag(answer), 'accept-encoding': accepted })).status).toBe(304)
    if (coding !== null) expect(bytes.length).toBeLessThan(plain.length / 3)
  },
)

test('each coding of a page has its own strong tag, and a short response is not compressed', async () => {
  const { get, readTag, change } = list()
  const tags = await Promise.all(
    codings.map(async ([, accepted]) => readTag(await get({ 'accept-encoding': accepted }))),
  )
  expect(new Set(tags).size).toBe(3)
  change([toRow(1)])
  expect((await get({ 'accept-encoding': 'br' })).headers.has('content-encoding')).toBe(false)
})

test.for([{ 'x-domain': 'own.example.com' }, { 'x-connection': 'staging' }])(
  'callers with different scopes never share a response (%o)',
  async (reader) => {
    const { get, state, readTag } = list()
    const tag = readTag(await get())
    state.rows = [toRow(1)]
    const restricted = await get({ 'if-none-match': tag, ...reader })
    expect(Page.parse(await restricted.json()).items).toEqual([toRow(1)])
    expect((await get({ 'if-none-match': tag })).status).toBe(304)
  },
)

test('cached responses stay within their memory limit, however many addresses are requested', async () => {
  const { get, state } = list()
  await get({}, '/list?n=0')
  for (let n = 1; n < 5_000; n += 1) await get({}, `/list?n=${n}`)
  await get({}, '/list?n=4999')
  expect(state.made).toBe(5_000)
  await get({}, '/list?n=0')
  expect(state.made).toBe(5_001)
})

test('a response whose address is larger than the cache is not cached', async () => {
  const { state, get } = list([toRow(1)])
  const large = `/list?${'x'.repeat(33 * 1024 * 1024)}`
  await get({}, large)
  await get({}, large)
  await get()
  await get()
  expect(state.made).toBe(3)
})
