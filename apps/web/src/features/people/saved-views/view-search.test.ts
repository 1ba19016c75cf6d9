import { expect, test } from 'vitest'
import { findView, readViewSearch, toViewQuery } from './view-search.ts'

test('a saved view is recognised by its filters and sort order, whatever the order of the parameters', () => {
  const views = [{ query: 'sort=oldest&q=docs' }, { query: 'q=docs' }]
  expect(findView(views, readViewSearch({ query: 'q=docs&sort=oldest' }))).toBe(views[0])
  expect(findView(views, readViewSearch({ query: 'q=docs&attention=true' }))).toBe(undefined)
})

test('a saved view keeps the connection of its list', () => {
  expect(toViewQuery(readViewSearch({ query: 'connection=c1&group=failed' }))).toBe('connection=c1&group=failed')
  expect(toViewQuery({})).toBe('')
})
