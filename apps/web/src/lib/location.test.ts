import { expect, test } from 'vitest'
import { matchPath } from './location.ts'

test('a pattern without parameters fits its own path only, with or without a slash at the end', () => {
  expect(matchPath('/exports', '/exports')).toEqual({})
  expect(matchPath('/exports', '/exports/')).toEqual({})
  expect(matchPath('/', '/')).toEqual({})
  expect(matchPath('/exports', '/exports/1')).toBe(null)
  expect(matchPath('/exports', '/')).toBe(null)
})

test('parameters are decoded, also when they hold what separates paths', () => {
  expect(matchPath('/agent-jobs/:projectId/:jobId', '/agent-jobs/my%20docs/a%2Fb')).toEqual({
    projectId: 'my docs',
    jobId: 'a/b',
  })
})

test('a broken escape fits nothing instead of breaking the page', () => {
  expect(matchPath('/exports/:exportId', '/exports/%E0%A4%A')).toBe(null)
})
