import { join } from 'node:path'
import { temporaryFolder } from '@docket/sources/testing/files'
import { expect, test } from 'vitest'
import { exportSite } from '#export-site.ts'
import { openSource } from './open-source.ts'
import { origin } from '#testing/mirror.ts'
import type { Served } from '#testing/origin.ts'
import { linkProblems, readFiles } from '#testing/site.ts'

const exportLive = async (url: string) => {
  const scratch = await temporaryFolder()
  const source = { kind: 'mirror', url, staging: join(scratch, 'mirror'), privateNetworks: ['127.0.0.1'] } as const
  const target = join(scratch, 'site')
  const opened = await openSource(source, scratch, () => Promise.resolve())
  const pages = await exportSite(opened, { domain: 'docs.example.com', version: null, paths: null, target })
  return { pages, files: await readFiles(target) }
}

const page = (title: string, body: string, html = ' lang="ar" dir="rtl"') =>
  `<!doctype html><html${html}><head><meta charset="utf-8"><title>${title}</title><link rel="stylesheet" href="/docs/a.css"></head><body><main><h1>${title}</h1>${body}</main></body></html>`
const picture: Served = { headers: { 'content-type': 'image/png' }, body: 'png' }

test('the export of a live site is the site itself: its language, formulas, drawings, dark pictures and pages with a query, at the addresses of 1.0.0', async () => {
  const site = await origin({
    '/docs/': page(
      'Home',
      '<a href="guide/start">Start</a><a href="/docs/q?page=1">1</a><a href="/docs/q?page=2">2</a><a href="/docs/old">Old</a><a href="/docs/C%23">C#</a><a href="/docs/sjis">S</a>',
    ),
    '/docs/guide/start': page(
      'Start',
      '<math><mi>x</mi></math><svg viewBox="0 0 1 1"><path d="M0 0h1"/></svg><picture><source srcset="../dark.png" media="(prefers-color-scheme: dark)"><img src="../light.png"></picture><a href="more">More</a>',
    ),
    '/docs/guide/more': page('More', '<select><option value="/docs/de/guide/more">Deutsch</option></select>'),
    '/docs/de/guide/more': page('Mehr', '<a href="../../guide/start">Start</a>', ' lang="de"'),
    '/docs/q?page=1': page('First of two', ''),
    '/docs/q?page=2': page('Second of two', ''),
    '/docs/old': { status: 301, headers: { location: '/docs/guide/more' } },
    '/docs/C%23': page('C sharp', ''),
    '/docs/sjis': {
      headers: { 'content-type': 'text/html' },
      body: Buffer.from(page('\x93\xfa\x96\x7b', '').replace('utf-8', 'shift_jis'), 'latin1'),
    },
    '/docs/a.css': { headers: { 'content-type': 'text/css' }, body: 'body { background: url(back.png) }' },
    '/docs/back.png': picture,
    '/docs/dark.png': picture,
    '/docs/light.png': picture,
  })
  const { pages, files } = await exportLive(`${site.url}/docs/`)
  expect(pages).toBe(8)
  expect(linkProblems(files)).toEqual([])
  const start = files.get('guide/start.html')!
  for (const part of [
    'lang="ar" dir="rtl"',
    '<math><mi>x</mi></math>',
    '<svg viewBox',
    'srcset="../dark.png"',
    'href="more.html"',
  ])
    expect(start).toContain(part)
  expect(files.get('de/guide/more.html')).toContain('lang="de"')
  expect(files.get('sjis.html')).toContain('日本')
  expect(files.get('old.html')).toContain('guide/more.html')
  const home = files.get('index.html')!
  const [first, second] = [...home.matchAll(/href="(q-page-[^"]+)"/g)].map(([, name = '']) => files.get(name))
  expect(first).toContain('First of two')
  expect(second).toContain('Second of two')
  expect(files.has('C-040228.html')).toBe(true)
  expect([...files.keys()].filter((name) => name.endsWith('.png')).toSorted()).toEqual([
    'back.png',
    'dark.png',
    'light.png',
  ])
})

test('two exports of a live site have the same bytes', async () => {
  const site = await origin((path) =>
    /^\/(?:[a-m]x*)?$/.test(path)
      ? page(`Page ${path}`, '<a href="/a">a</a><a href="/b">b</a><a href="/c?y=1">c</a>')
      : undefined,
  )
  const [one, other] = [await exportLive(`${site.url}/`), await exportLive(`${site.url}/`)]
  expect(one.files).toEqual(other.files)
})
