import { expect, test } from 'vitest'
import { describeCorrection, parseBaseUrl } from './base-url.ts'

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
  for (const [text, origin, basePath] of table) {
    expect(parseBaseUrl(text)).toEqual({ origin, basePath, version: null })
    expect(describeCorrection(text)).toBeNull()
  }
})

test('a version at the end of the address is removed, and a notice reports it', () => {
  const table: [text: string, basePath: string, version: string][] = [
    ['https://api.example.com/v1', '', '/v1'],
    ['https://api.example.com/v2/', '', '/v2'],
    ['https://api.example.com/admin//v1//', '/admin', '/v1'],
  ]
  for (const [text, basePath, version] of table) {
    expect(parseBaseUrl(text)).toEqual({ origin: 'https://api.example.com', basePath, version })
    expect(describeCorrection(text)).toContain(`ends in ${version}`)
    expect(describeCorrection(text)).toContain(`uses https://api.example.com${basePath} instead`)
  }
  for (const path of ['/v3', '/v10', '/v1/admin', '/xv1'])
    expect(parseBaseUrl(`https://api.example.com${path}`)).toMatchObject({ basePath: path, version: null })
})

test('every other address is refused with an error that says what to change and does not repeat the address', () => {
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
    ['https://169.254.169.254', /metadata service/],
    ['https://[::ffff:a9fe:a9fe]/latest', /metadata service/],
  ]
  for (const [text, problem] of table) {
    expect(() => parseBaseUrl(text)).toThrow(problem)
    expect(() => parseBaseUrl(text)).not.toThrow(/hunter2/)
  }
})
