import { expect, test } from 'vitest'
import { previewAddress } from '#ground/config/preview-address.ts'
import { createPreviewHosts } from './preview-hosts.ts'

const publicUrl = new URL('https://docket.example.com')
const at = (
  previewUrl: string | null,
  hosts: { publicUrl: URL | null; ownName: string | null } = { publicUrl, ownName: null },
) =>
  createPreviewHosts({ hosts, previewUrl: previewUrl === null ? null : previewAddress.parse(previewUrl), secret: 's' })

test('a preview has its own hostname only if its pages cannot set cookies for Docket from there', () => {
  const host = publicUrl.host
  expect(at('https://*.docs-preview.example').place(host, 'p1')).toEqual({
    isolation: 'own_host',
    origin: 'https://p1.docs-preview.example',
  })
  const origin = publicUrl.origin
  expect(at('https://*.preview.example.com').place(host, 'p1')).toEqual({
    isolation: 'sandbox',
    origin,
    reason: 'shared_cookies',
  })
  expect(at(null).place(host, 'p1')).toEqual({ isolation: 'sandbox', origin, reason: 'no_host' })
})

test('pages of Docket may frame only preview hosts or the sandbox', () => {
  expect(at('https://*.docs-preview.example:8443').frameSources(publicUrl.host)).toBe(
    'https://*.docs-preview.example:8443',
  )
  expect(at(null).frameSources(publicUrl.host)).toBe('https://docket.example.com/preview/')
  const local = at(null, { publicUrl: null, ownName: 'docket-0123456789ab.localhost' })
  expect(local.frameSources('docket-0123456789ab.localhost:3000')).toMatch(
    /^http:\/\/\*\.previews-[0-9a-f]{12}\.localhost:3000$/,
  )
  expect(local.frameSources('127.0.0.1:3000')).toBe('http://127.0.0.1:3000/preview/')
})

test('Docket’s own host is never a preview host, whatever the wildcard', () => {
  const hosts = at('https://*.example.com')
  expect(hosts.readLabel('docket.example.com')).toBeNull()
  expect(hosts.readLabel('p1.example.com')).toBe('p1')
  expect(hosts.readLabel('a.p1.example.com')).toBeNull()
  expect(hosts.readLabel('p1.example.com.evil.example')).toBeNull()
  expect(hosts.readLabel(undefined)).toBeNull()
})

test.for([
  'https://preview.example.net',
  'http://*.preview.example.net',
  'https://*',
  'https://*.',
  'https://*.10.0.0.1',
  'https://*.x.example/path',
  'ftp://*.x.example',
  'https://*.*.example',
])('the PREVIEW_URL %s is refused', (value) => {
  expect(previewAddress.safeParse(value).success).toBe(false)
})
