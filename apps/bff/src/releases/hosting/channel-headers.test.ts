import { expect, test } from 'vitest'
import { buildHostedHeaders, checkHeaders, isAccepted } from './channel-headers.ts'

const build = (headers: { name: string; value: string }[]) =>
  Object.keys(buildHostedHeaders({ name: 'production', access: 'public', headers })).map((name) => name.toLowerCase())

test.for([
  'Set-Cookie',
  'content-length',
  'Transfer-Encoding',
  'Connection',
  'Service-Worker-Allowed',
  'Access-Control-Allow-Credentials',
  'Clear-Site-Data',
  'Cache-Control',
  'X-Accel-Redirect',
  'X-LiteSpeed-Location',
  'X-Reproxy-URL',
  'Status',
  'Sec-WebSocket-Accept',
  'HTTP2-Settings',
])('a channel can neither set the header %s nor send one that was saved earlier', (name) => {
  const refusal = { message: expect.stringContaining(name), details: { field: 'headers.1.name' } }
  const headers = [
    { name: 'X-Frame-Options', value: 'DENY' },
    { name, value: 'x' },
  ]
  expect(() => checkHeaders(headers)).toThrow(expect.objectContaining(refusal))
  expect(build(headers)).toContain('x-frame-options')
  expect(build(headers)).not.toContain(name.toLowerCase())
})

test.for(['X-Team', 'Server', 'NEL', 'Report-To', 'Public-Key-Pins', 'Refresh', 'CDN-Cache-Control', 'X-Anything-New'])(
  'a channel can’t set the header %s, but still sends one that was saved earlier',
  (name) => {
    const headers = [{ name, value: 'x' }]
    expect(() => checkHeaders(headers)).toThrow(`A channel can’t set ${name}`)
    expect(isAccepted(headers[0]!)).toBe(false)
    expect(build(headers)).toContain(name.toLowerCase())
  },
)

test('a channel can set policies for its own pages, each once, but none that affects other hosts', () => {
  const names = ['Content-Security-Policy', 'Permissions-Policy', 'x-robots-tag', 'Cross-Origin-Opener-Policy', 'Link']
  const headers = names.map((name) => ({ name, value: 'x' }))
  expect(() =>
    checkHeaders([...headers, { name: 'Strict-Transport-Security', value: 'max-age=63072000' }]),
  ).not.toThrow()
  for (const value of ['max-age=1; includeSubDomains', 'max-age=1; preload', 'max-age="1"', '', 'max-age=1, max-age=2'])
    expect(() => checkHeaders([{ name: 'strict-transport-security', value }])).toThrow(
      expect.objectContaining({ details: { field: 'headers.0.name' } }),
    )
  expect(() =>
    checkHeaders([
      { name: 'Link', value: '1' },
      { name: 'link', value: '2' },
    ]),
  ).toThrow('twice')
})

test('pages of other channels cannot load the files of a channel for signed-in people', () => {
  const headersOf = (access: 'signed_in' | 'public') => buildHostedHeaders({ name: 'production', access, headers: [] })
  expect(headersOf('signed_in')).toMatchObject({ 'Cross-Origin-Resource-Policy': 'same-origin' })
  expect(headersOf('public')).not.toHaveProperty('Cross-Origin-Resource-Policy')
})
