import { expect, test } from 'vitest'
import { previewAddress } from '#ground/config/preview-address.ts'
import { createHostedHosts } from './hosted-hosts.ts'

const publicUrl = new URL('https://docket.example.com')
const ownName = 'docket-0123456789ab.localhost'
const parse = (url: string | null) => (url === null ? null : previewAddress.parse(url))
const behindProxy = (hostingUrl: string | null, previewUrl: string | null = null) =>
  createHostedHosts({
    hosts: { publicUrl, ownName: null },
    hostingUrl: parse(hostingUrl),
    previewUrl: parse(previewUrl),
    isPreview: (host) => host.endsWith('.docs-preview.example'),
  })
const onOneComputer = createHostedHosts({
  hosts: { publicUrl: null, ownName },
  hostingUrl: null,
  previewUrl: null,
  isPreview: (host) => /\.previews-0\.localhost(:|$)/.test(host),
})
const channel = { label: 'docs-example-com', name: 'production', hostname: null, access: 'public' } as const
const latest = { ...channel, name: 'latest', access: 'signed_in' } as const

test('on one computer, a channel opens under localhost at the port of the browser', () => {
  for (const host of [`${ownName}:3000`, '127.0.0.1:3000'])
    expect(onOneComputer.describe(host, channel)).toEqual({
      address: 'http://docs-example-com.localhost:3000',
      problem: null,
    })
  expect(onOneComputer.describe(ownName, latest).address).toBe('http://latest--docs-example-com.localhost')
  expect(onOneComputer.read('docs-example-com.localhost:4000')).toEqual({
    label: 'docs-example-com',
    channel: 'production',
  })
  expect(onOneComputer.read('LATEST--docs-example-com.localhost')).toEqual({
    label: 'docs-example-com',
    channel: 'latest',
  })
})

test('on a server, a channel opens below HOSTING_URL or at its own hostname', () => {
  const hosts = behindProxy('https://*.docs.example:8443')
  expect(hosts.describe(publicUrl.host, channel).address).toBe('https://docs-example-com.docs.example:8443')
  expect(hosts.read('latest--docs-example-com.docs.example:8443')).toEqual({
    label: 'docs-example-com',
    channel: 'latest',
  })
  expect(hosts.findOrigin('x.docs.example:8443')).toBe('https://x.docs.example:8443')
  const named = { ...channel, hostname: 'manual.acme.example' }
  for (const one of [hosts, behindProxy(null), behindProxy('https://*.docs.example.com')])
    expect(one.describe(publicUrl.host, named).address).toBe('https://manual.acme.example')
  expect(hosts.read('manual.acme.example')).toEqual({ hostname: 'manual.acme.example' })
})

test('the message for a channel that can’t be hosted names the setting to change', () => {
  const problem = (hosts: ReturnType<typeof behindProxy>, of: Parameters<typeof hosts.describe>[1] = channel) =>
    hosts.describe(publicUrl.host, of)
  expect(problem(behindProxy(null))).toEqual({ address: null, problem: expect.stringContaining('set HOSTING_URL') })
  for (const shared of ['https://*.docs.example.com', 'https://*.example.com', 'https://*.com'])
    expect(problem(behindProxy(shared)).problem).toContain('HOSTING_URL is below Docket’s own domain')
  expect(problem(behindProxy('https://*.a.example', 'https://*.p.a.example')).problem).toContain('PREVIEW_URL')
  expect(problem(behindProxy('https://*.docs.example'), { ...channel, access: 'private' }).problem).toContain('private')
  expect(problem(behindProxy(null), { ...channel, hostname: 'x.example.com' }).problem).toContain('another one')
})

test.for([
  undefined,
  '',
  '127.0.0.1',
  'localhost:3000',
  '[::1]',
  '10.0.0.1',
  'docket.example.com',
  'docs.example.com',
  'p1.docs-preview.example',
  'docs.example.',
  'a..b',
  'a b.example',
  'docs.example/x',
])('the host %s does not belong to a hosted channel', (host) => {
  expect(behindProxy('https://*.docs.example').read(host)).toBeNull()
})

test('Docket’s own hostname and preview hosts never lead to a channel, and a wildcard matches one label only', () => {
  for (const host of [ownName, `${ownName}:3000`, 'p1.previews-0.localhost:3000', `x.${ownName}`])
    expect(onOneComputer.read(host)).toBeNull()
  expect(behindProxy('https://*.docs.example').read('a.b.docs.example')).toEqual({ hostname: 'a.b.docs.example' })
  expect(behindProxy('https://*.docs.example.com').read('site.docs.example.com')).toBeNull()
})

test.for([
  ['docs.example.com', 'shares a domain'],
  ['example.com', 'shares a domain'],
  ['docket.example.com', 'shares a domain'],
  ['localhost', 'Enter a hostname'],
  ['127.0.0.1', 'Enter a hostname'],
  ['docs.acme.example:8443', 'Enter a hostname'],
  ['https://docs.acme.example', 'Enter a hostname'],
  ['*.acme.example', 'Enter a hostname'],
  ['p.docs-preview.example', 'previews'],
  ['other.docs.example', 'label of a site'],
] as const)('a channel cannot have the hostname %s', ([text, sentence]) => {
  const { checkHostname } = behindProxy('https://*.docs.example', 'https://*.docs-preview.example')
  const refusal = { message: expect.stringContaining(sentence), details: { field: 'hostname' } }
  expect(() => checkHostname(text)).toThrow(expect.objectContaining(refusal))
})

test('a hostname is stored in its normalized form', () => {
  const { checkHostname } = behindProxy('https://*.docs.example')
  expect(checkHostname(' Docs.Acme.Example ')).toBe('docs.acme.example')
  expect(checkHostname('bücher.acme.example')).toBe('xn--bcher-kva.acme.example')
  expect(() => onOneComputer.checkHostname('other.localhost')).toThrow('label of a site')
})
