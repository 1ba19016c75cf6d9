import { expect, test } from 'vitest'
import { parseBaseUrl } from './base-url.ts'

test('https is accepted anywhere, http on this machine only, and a base path is kept', () => {
  const table: [string, string, string][] = [
    ['https://api.example.com', 'https://api.example.com', ''],
    [' https://API.example.com:8443/ ', 'https://api.example.com:8443', ''],
    ['https://example.com/admin/api//', 'https://example.com', '/admin/api'],
    ['http://localhost:3000', 'http://localhost:3000', ''],
    ['http://api.localhost/x', 'http://api.localhost', '/x'],
    ['http://127.0.0.9:1', 'http://127.0.0.9:1', ''],
    ['http://[::1]:1', 'http://[::1]:1', ''],
  ]
  for (const [text, origin, basePath] of table) expect(parseBaseUrl(text)).toEqual({ origin, basePath })
})

test('every other address is refused with what to change, and without repeating it', () => {
  const table: [string, RegExp][] = [
    ['', /is empty/],
    ['api.example.com', /must start with https/],
    ['ftp://api.example.com', /must start with https/],
    ['https:api.example.com', /must start with https/],
    ['https:///api.example.com', /must start with https/],
    ['file:///etc/passwd', /must start with https/],
    ['http://api.example.com', /must use https/],
    ['http://localhost.example.com', /must use https/],
    ['http://127.0.0.1.example.com', /must use https/],
    ['http://10.0.0.1', /must use https/],
    ['https://user:hunter2@api.example.com', /user name or password/],
    ['https://@api.example.com', /user name or password/],
    ['https://api.example.com/?hunter2=1', /query/],
    ['https://api.example.com?', /query/],
    ['https://api.example.com/#hunter2', /fragment/],
    ['https://api.example.com\\evil', /backslash/],
    ['https://api.exa mple.com', /space/],
    ['https://\u0430pi.example.com', /not ASCII/],
    ['https://api.example.com:99999', /not a valid address/],
  ]
  for (const [text, problem] of table) {
    expect(() => parseBaseUrl(text)).toThrow(problem)
    expect(() => parseBaseUrl(text)).not.toThrow(/hunter2/)
  }
})
