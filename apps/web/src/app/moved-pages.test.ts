import { expect, test } from 'vitest'
import { findMovedPage, movedPages } from './moved-pages.ts'
import { pages } from './pages.ts'

const addressesOf1_0_0 = [
  '/',
  '/exports',
  '/exports/$exportId',
  '/exports/$exportId/pages',
  '/exports/$exportId/findings',
  '/exports/$exportId/changes',
  '/exports/$exportId/changes/page',
  '/exports/$exportId/files',
  '/exports/$exportId/history',
  '/exports/$exportId/preview',
  '/domains/$domain',
  '/agent-jobs',
  '/agent-jobs/prompts',
  '/agent-jobs/$projectId/$jobId',
  '/code',
  '/code/$projectId',
  '/code/$projectId/pulls/$number',
  '/code/$projectId/commits/$hash',
  '/activity',
  '/availability',
  '/connection',
  '/settings',
  '/settings/connection',
  '/settings/connections',
  '/settings/account',
  '/settings/people',
  '/settings/tokens',
  '/settings/storage',
  '/settings/about',
  '/settings/audit',
]

test('every address of 1.0.0 leads to a page', () => {
  const known = Object.keys(pages)
  expect(addressesOf1_0_0.filter((address) => !known.includes(findMovedPage(address)))).toEqual([])
})

test('an address moves once, and a trailing slash does not matter', () => {
  for (const [old, to] of Object.entries(movedPages)) {
    expect(findMovedPage(`${old}/`)).toBe(to)
    expect(findMovedPage(to)).toBe(to)
  }
  expect(findMovedPage('/')).toBe('/')
  expect(findMovedPage('/code/docs')).toBe('/code/docs')
})
