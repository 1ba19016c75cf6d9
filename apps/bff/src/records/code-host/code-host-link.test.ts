import { expect, test } from 'vitest'
import { codeHostLinks } from './code-host-link.ts'

const publicUrl = new URL('https://docket.example.com')
const link = codeHostLinks({ publicUrl, projectIds: ['docs'] })

test.each([
  ['http://127.0.0.1:41234/docket/docs/pulls/7', '/code/docs/pulls/7', 'docs#7'],
  ['http://127.0.0.1:3000/code/docs/pulls/7', '/code/docs/pulls/7', 'docs#7'],
  ['https://earlier.example.com/code/docs/pulls/7', '/code/docs/pulls/7', 'docs#7'],
  ['http://127.0.0.1:41234/docket/docs', '/code/docs', 'docs'],
])('%s leads to the page of Docket, at its current address', (text, href, label) => {
  expect(link(text, 'docs')).toEqual({ text: `https://docket.example.com${href}`, href, host: null, label })
  expect(codeHostLinks({ publicUrl: null, projectIds: ['docs'] })(text, 'docs')).toMatchObject({ text: href, href })
})

test.each([
  'https://gitea.example.com/code/other/pulls/7',
  'https://gitea.example.com/docs/pulls/7',
  'https://github.com/docket/docs/pull/7',
  'http://127.0.0.1:3000/code/docs/pulls/7/files',
  'http://127.0.0.1:3000/code/docs/pulls/x',
  'http://127.0.0.1:3000/code/../admin',
  'javascript:/code/docs',
  '/code/docs',
  '',
])('%s is not a page of the project', (text) => {
  expect(link(text, 'docs')).toBeNull()
})

test('without the code host only loopback addresses are mapped to Docket, and projects at other hosts keep their links', () => {
  const replica = codeHostLinks({ publicUrl, projectIds: [] })
  expect(replica('http://127.0.0.1:41234/docket/docs/pulls/7', 'docs')?.href).toBe('/code/docs/pulls/7')
  expect(replica('https://gitea.example.com/code/docs/pulls/7', 'docs')).toBeNull()
})
