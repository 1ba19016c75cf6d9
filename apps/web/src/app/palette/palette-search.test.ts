import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterAll, expect, test, vi } from 'vitest'
import { foundExportsQuery } from './palette-search.queries.ts'

/** Answers that the test gives when it likes, by the words that were asked for. */
const answers = new Map<string, (rows: object[]) => void>()
const asked: string[] = []
vi.stubGlobal('fetch', (path: string) => {
  asked.push(path)
  const q = new URL(path, 'http://docket').searchParams.get('q') ?? ''
  return new Promise((resolve) =>
    answers.set(q, (rows) => resolve(Response.json({ items: rows.map((row) => ({ ...row })) }))),
  )
})
afterAll(() => void vi.unstubAllGlobals())

test('a late response never replaces a newer one, and the previous rows stay until a response arrives', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { networkMode: 'always' } } })
  const observer = new QueryObserver(client, foundExportsQuery('glo', ''))
  const read = () => observer.getCurrentResult()
  const stop = observer.subscribe(() => {})
  await expect.poll(() => answers.has('glo')).toBe(true)
  answers.get('glo')!([{ exportId: 'first' }])
  await expect.poll(() => read().data).toEqual([{ exportId: 'first' }])

  observer.setOptions(foundExportsQuery('globex', ''))
  observer.setOptions(foundExportsQuery('globex-12', ''))
  expect([read().data, read().isPlaceholderData]).toEqual([[{ exportId: 'first' }], true])
  await expect.poll(() => answers.has('globex-12')).toBe(true)
  answers.get('globex-12')!([{ exportId: 'newest' }])
  await expect.poll(() => read().isPlaceholderData).toBe(false)
  answers.get('globex')!([{ exportId: 'late' }])
  await new Promise((resolve) => setTimeout(resolve))
  expect(read().data).toEqual([{ exportId: 'newest' }])
  expect(asked.at(-1)).toBe('/api/static-exports?q=globex-12&limit=8')
  stop()
  client.clear()
})
