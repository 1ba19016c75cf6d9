import { expect, test } from 'vitest'
import { buildHostedHeaders, checkHeaders, hasHash } from './channel-headers.ts'

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
])('a channel cannot set %s', (name) => {
  expect(() => checkHeaders([{ name, value: 'x' }])).toThrow(name)
})

test('a channel may set any other header, once', () => {
  checkHeaders([
    { name: 'Content-Security-Policy', value: "default-src 'self'" },
    { name: 'Strict-Transport-Security', value: 'max-age=1' },
  ])
  expect(() =>
    checkHeaders([
      { name: 'X-A', value: '1' },
      { name: 'x-a', value: '2' },
    ]),
  ).toThrow('twice')
})

test('pages of other channels cannot load the files of a channel for signed-in people', () => {
  const build = (access: 'signed_in' | 'public') => buildHostedHeaders({ name: 'production', access, headers: [] })
  expect(build('signed_in')).toMatchObject({ 'Cross-Origin-Resource-Policy': 'same-origin' })
  expect(build('public')).not.toHaveProperty('Cross-Origin-Resource-Policy')
})

test.for([
  ['assets/app.3f2a9c1d.js', true],
  ['assets/index-BxJ3k2aQ.css', true],
  ['_next/static/chunks/main-4c1f0a9b8d7e6f5a.js', true],
  ['fonts/inter.f1d2d2f924e986ac86fdf7b36c94bcdf.woff2', true],
  ['style.css', false],
  ['my-screenshot2.png', false],
  ['photo-20240101.png', false],
  ['getting-started-tutorial.css', false],
  ['api.SCREENSHOT.png', false],
  ['guide.3f2a9c1d.html', false],
] as const)('the name %s has a hash: %s', ([path, expected]) => {
  expect(hasHash(path)).toBe(expected)
})
