import { expect, test } from 'vitest'
import { mergePages } from './listed-jobs.queries.ts'

const job = (id: string) => ({ id, title: null, halted: false, haltReason: null, messageToUser: null, followed: false })
const page = (...ids: string[]) => ({ jobs: ids.map(job), skipped: 1 })

test('pages are merged into a list with each job once, and a page without new jobs ends the list', () => {
  const [first, second] = [page('a', 'b'), page('b', 'c')]
  const merged = mergePages([first, second])
  expect(merged.jobs.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect([merged.skipped, merged.isNew]).toEqual([2, true])
  expect(mergePages([first, first]).isNew).toBe(false)
  expect(mergePages([first, page()]).isNew).toBe(false)
  expect(mergePages([])).toEqual({ jobs: [], skipped: 0, isNew: false })
})
