import { expect, onTestFinished, test } from 'vitest'
import { origin } from '#testing/mirror.ts'
import { openRemoteFiles } from './remote-files.ts'

const max = 1_000_000
const png = Buffer.from('89504e470d0a1a0a0000', 'hex')
const picture = { headers: { 'content-type': 'image/png' }, body: png }

const open = (hosts: readonly string[], more: Partial<Parameters<typeof openRemoteFiles>[0]> = {}) => {
  const remote = openRemoteFiles({
    hosts,
    privateNetworks: ['127.0.0.1'],
    mirror: { retryMs: 1, answerMs: 2_000 },
    ...more,
  })
  onTestFinished(() => remote.close())
  return remote.read
}

test('a file of an allowed host is requested once, and a file of any other host never', async () => {
  const site = await origin({ '/a.png': picture })
  const read = open([`127.0.0.1:${site.port}`])
  const [first, again] = await Promise.all([read(`${site.url}/a.png#x`, max), read(`${site.url}/a.png`, max)])
  expect(first).toEqual({ content: png, type: 'image/png' })
  expect(again).toBe(first)
  expect(site.heard).toHaveLength(1)
  expect(site.heard[0]!.headers).not.toHaveProperty('referer')
  for (const address of [
    'http://localhost:1/a',
    'file:///etc/passwd',
    'data:,a',
    'http://u:p@' + `127.0.0.1:${site.port}/`,
    'x',
  ])
    expect(await read(address, max)).toBeNull()
  expect(await open(['127.0.0.1'])(`${site.url}/a.png`, max)).toBeNull()
})

test('an allowed host name is refused if it resolves to a private network', async () => {
  const site = await origin({ '/a.png': picture })
  const lookup: Parameters<typeof openRemoteFiles>[0]['lookup'] = (_name, _options, done) =>
    done(null, [{ address: '127.0.0.1', family: 4 }])
  const read = open([`*.example.org:${site.port}`], { privateNetworks: [], lookup })
  expect(await read(`http://cdn.example.org:${site.port}/a.png`, max)).toEqual({
    problem: 'cdn.example.org is at 127.0.0.1, which is private or has a special meaning',
  })
  expect(site.connections()).toBe(0)
  const allowed = open([`*.example.org:${site.port}`], { lookup })
  expect(await allowed(`http://cdn.example.org:${site.port}/a.png`, max)).toMatchObject({ type: 'image/png' })
  expect(await allowed(`http://example.org.evil.test:${site.port}/a.png`, max)).toBeNull()
})

test('redirects are followed only to allowed hosts and only a limited number of times', async () => {
  const other = await origin({ '/b.png': picture })
  const site = await origin((path) => ({
    status: 302,
    headers: { location: path === '/a' ? `${other.url}/b.png` : path === '/meta' ? 'http://169.254.169.254/' : path },
  }))
  const [own, both] = [`127.0.0.1:${site.port}`, [`127.0.0.1:${site.port}`, `127.0.0.1:${other.port}`]]
  expect(await open(both)(`${site.url}/a`, max)).toMatchObject({ type: 'image/png' })
  expect(await open([own])(`${site.url}/a`, max)).toEqual({
    problem: `it redirects to 127.0.0.1:${other.port}, which is not allowed`,
  })
  expect(await open([own, '169.254.169.254'])(`${site.url}/meta`, max)).toMatchObject({
    problem: expect.stringContaining('private or has a special meaning') as string,
  })
  expect(await open([own])(`${site.url}/loop`, max)).toEqual({ problem: 'it redirects in a circle, or too often' })
})

test('file size, file count, total size and total time are limited', async () => {
  const site = await origin((path) => (path === '/404' ? undefined : { ...picture, body: Buffer.alloc(2_000) }))
  const hosts = [`127.0.0.1:${site.port}`]
  expect(await open(hosts)(`${site.url}/a`, 1_024)).toEqual({ problem: 'it has more than 1 kB' })
  expect(await open(hosts)(`${site.url}/404`, max)).toEqual({ problem: 'it answers 404' })
  const few = open(hosts, { limits: { files: 1 } })
  expect(await few(`${site.url}/a`, max)).toHaveProperty('content')
  expect(await few(`${site.url}/b`, max)).toEqual({ problem: 'an export takes at most 1 files of other hosts' })
  const small = open(hosts, { limits: { totalBytes: 1 } })
  await small(`${site.url}/a`, max)
  expect(await small(`${site.url}/b`, max)).toEqual({ problem: 'the files of other hosts are too large together' })
  let time = 0
  const slow = open(hosts, { limits: { totalMs: 5 }, now: () => time })
  time = 6
  expect(await slow(`${site.url}/a`, max)).toEqual({ problem: 'the files of other hosts took too long together' })
  const gone = open(['127.0.0.1:1'], { mirror: { retries: 0 }, limits: { goneAfter: 1 } })
  expect(await gone('http://127.0.0.1:1/a', max)).toMatchObject({
    problem: expect.stringContaining('failed') as string,
  })
  expect(await gone('http://127.0.0.1:1/b', max)).toEqual({ problem: 'its host did not answer before' })
})
