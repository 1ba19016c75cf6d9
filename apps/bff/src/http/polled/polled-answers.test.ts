import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { array, assert, asyncProperty, constantFrom, integer, record, uniqueArray } from 'fast-check'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { AppEnv } from '#http/app-env.ts'
import { polledAnswers } from '#http/polled/polled-answers.ts'

const Page = z.object({
  items: z.array(z.object({ id: z.int(), text: z.string() })),
  nextCursor: z.string().nullable(),
  counts: z.object({ all: z.int() }),
})
type Item = z.infer<typeof Page>['items'][number]

const rowOf = (id: number): Item => ({ id, text: `the text of row ${id}, which is as long as texts are` })

/** One address, `/list`, whose rows a test changes. `made` counts how often its answer was made. */
const list = (rows: Item[] = Array.from({ length: 50 }, (_, id) => rowOf(id))) => {
  const state = { rows, version: 1, nowMs: 1_000, until: null as number | null, made: 0, polls: 0, fails: false }
  const polled = polledAnswers()
  const current = async () => ({
    tag: `${'3f2504e0-4f89-41d3-9a0c-0305e82c3301-'.repeat(5)}${state.version}`,
    now: state.nowMs,
  })
  const app = new Hono<AppEnv>().get('*', (c) =>
    polled.send(c, {
      current,
      schema: Page,
      keyOf: ({ id }) => String(id),
      make: async () => {
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
    }),
  )
  app.onError((error, c) => c.text(error.message, 500))
  const get = async (headers: Record<string, string> = {}, path = '/list') => app.request(path, { headers })
  const change = (next: Item[]) => {
    state.rows = next
    state.version += 1
  }
  const tagOf = (response: Response) => response.headers.get('etag') ?? ''
  return { state, polled, get, change, tagOf }
}

test('polls of many viewers at one instant are answered by one page, and remembered for the next', async () => {
  const { state, get, change } = list()
  const answers = await Promise.all(Array.from({ length: 100 }, () => get()))
  await get()
  expect(state.made).toBe(1)
  expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1)
  change([rowOf(1)])
  expect((await (await get()).json()) as unknown).toMatchObject({ counts: { all: 1 } })
  expect(state).toMatchObject({ made: 2, polls: 102 })
})

test('an unchanged list is a 304 that makes nothing, and counts as a look at the page', async () => {
  const { state, get, tagOf } = list()
  const tag = tagOf(await get())
  for (const held of [tag, `W/${tag}`, `"other", ${tag}`]) {
    const answer = await get({ 'if-none-match': held })
    expect([answer.status, tagOf(answer), await answer.text()]).toEqual([304, tag, ''])
  }
  expect(state).toMatchObject({ made: 1, polls: 4 })
})

test('a change of the list that this page does not show is a 304 under the new name', async () => {
  const { get, change, state, tagOf } = list()
  const tag = tagOf(await get())
  change(state.rows)
  const answer = await get({ 'if-none-match': tag })
  expect(answer.status).toBe(304)
  expect(tagOf(answer)).not.toBe(tag)
  expect((await get({ 'if-none-match': tagOf(answer) })).status).toBe(304)
  expect(state.made).toBe(2)
})

test('an answer that changes with time alone is not a 304 after that moment', async () => {
  const { state, get, tagOf } = list()
  state.until = 2_000
  const tag = tagOf(await get())
  state.nowMs = 1_999
  expect((await get({ 'if-none-match': tag })).status).toBe(304)
  state.nowMs = 2_000
  state.until = null
  state.rows = [rowOf(7)]
  const answer = await get({ 'if-none-match': tag })
  expect([answer.status, ((await answer.json()) as { items: Item[] }).items]).toEqual([200, [rowOf(7)]])
})

test('an answer that could not be made fails everybody who waited for it, and is made again for the next', async () => {
  const { state, get } = list()
  state.fails = true
  const failed = await Promise.all([get(), get()])
  expect([failed.map(({ status }) => status), state.made]).toEqual([[500, 500], 1])
  state.fails = false
  expect((await get()).status).toBe(200)
})

test('nothing that the contract does not declare is sent', async () => {
  const { get } = list()
  expect(await (await get()).text()).not.toContain('secret')
})

const codings = [
  ['br', 'gzip, deflate, br', brotliDecompressSync],
  ['gzip', 'gzip;q=0.5, br;q=0', gunzipSync],
  [null, 'identity', (bytes: Buffer) => bytes],
] as const

test.each(codings)(
  'in the coding %s the same JSON travels, whose tag still names it',
  async (coding, accepted, decoded) => {
    const { get, tagOf } = list()
    const plain = await (await get()).text()
    const answer = await get({ 'accept-encoding': accepted })
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(decoded(bytes).toString()).toBe(plain)
    expect(answer.headers.get('content-encoding')).toBe(coding)
    expect(answer.headers.get('content-length')).toBe(String(bytes.length))
    expect(answer.headers.get('vary')).toMatch(/accept-encoding/i)
    expect((await get({ 'if-none-match': tagOf(answer), 'accept-encoding': accepted })).status).toBe(304)
    if (coding !== null) expect(bytes.length).toBeLessThan(plain.length / 3)
  },
)

test('codings of one page have different strong tags, and a short answer is not compressed', async () => {
  const { get, tagOf, change } = list()
  const tags = await Promise.all(codings.map(async ([, accepted]) => tagOf(await get({ 'accept-encoding': accepted }))))
  expect(new Set(tags).size).toBe(3)
  change([rowOf(1)])
  expect((await get({ 'accept-encoding': 'br' })).headers.has('content-encoding')).toBe(false)
})

type Delta = Omit<z.infer<typeof Page>, 'items'> & { base?: string; items: (Item | [number, number | Partial<Item>])[] }

const rebuilt = (held: Item[], { items }: Delta): Item[] =>
  items.flatMap((entry) => {
    if (!Array.isArray(entry)) return [entry]
    const [place, rest] = entry
    return typeof rest === 'number' ? held.slice(place, rest + 1) : [{ ...held[place]!, ...rest }]
  })

test('a reader who asks for a delta gets new rows, what changed in known ones, and where the others were', async () => {
  const { get, change, state, tagOf } = list()
  const tag = tagOf(await get({ 'accept-encoding': 'br' }))
  const held = state.rows
  change([rowOf(99), ...held.slice(0, 10), { id: 10, text: 'changed' }, ...held.slice(11, 49)])
  const answer = await get({ 'if-none-match': tag, prefer: 'respond-async, delta' })
  expect(answer.headers.get('preference-applied')).toBe('delta')
  const delta = (await answer.json()) as Delta
  expect(delta).toEqual({
    base: tag.replaceAll('"', ''),
    items: [rowOf(99), [0, 9], [10, { text: 'changed' }], [11, 48]],
    nextCursor: null,
    counts: { all: 50 },
  })
  expect((await get({ 'if-none-match': tagOf(answer), prefer: 'delta' })).status).toBe(304)
})

test('without a page that Docket remembers, or without the wish, the whole page is sent', async () => {
  const { get, change, state, tagOf } = list()
  const tag = tagOf(await get())
  change(state.rows.slice(1))
  const unknown = tag.replace(/\.[\w-]+"/, '.AAAAAAAAAAA"')
  for (const headers of [
    { 'if-none-match': tag },
    { prefer: 'delta' },
    { 'if-none-match': unknown, prefer: 'delta' },
  ]) {
    const answer = await get(headers)
    expect(answer.headers.has('preference-applied')).toBe(false)
    expect(Page.parse(await answer.json()).items).toEqual(state.rows)
  }
})

test('whatever a page becomes, its delta and the page before make the new one', async () => {
  const row = record({ id: integer({ min: 0, max: 30 }), text: constantFrom('one', 'two') })
  const pageOf = uniqueArray(row, { maxLength: 12, selector: ({ id }) => id })
  await assert(
    asyncProperty(array(pageOf, { minLength: 2, maxLength: 6 }), async (versions) => {
      const { get, change, tagOf } = list([])
      let [held, tag]: [Item[], string] = [[], tagOf(await get())]
      for (const version of versions) {
        change(version)
        const answer = await get({ 'if-none-match': tag, prefer: 'delta' })
        if (answer.status === 200) held = rebuilt(held, (await answer.json()) as Delta)
        tag = tagOf(answer)
        expect(held).toEqual(version)
      }
    }),
    { numRuns: 60 },
  )
})

test('addresses that were never answered, and tags that are not right any more, go the whole way', async () => {
  const { get, change, state, tagOf, polled } = list()
  const tag = tagOf(await get())
  expect(polled.unchanged('/other', tag)).toBeNull()
  expect(await polled.unchanged('/list', tag)).toEqual({ etag: tag, route: '/*' })
  change(state.rows)
  expect(await polled.unchanged('/list', tag)).toBeNull()
})

test('what is remembered stays within its bound, however many addresses are asked for', async () => {
  const { get, state, polled, tagOf } = list()
  const tag = tagOf(await get({}, '/list?n=0'))
  for (let n = 1; n < 5_000; n += 1) await get({}, `/list?n=${n}`)
  expect(state.made).toBe(5_000)
  expect(polled.unchanged('/list?n=0', tag)).toBeNull()
  expect(await polled.unchanged('/list?n=4999', tag)).not.toBeNull()
})

test('an address counts for what is remembered, however little it shows', async () => {
  const { state, get } = list([rowOf(1)])
  await get()
  await get({}, `/list?${'x'.repeat(33 * 1024 * 1024)}`)
  await get()
  expect(state.made).toBe(3)
})
