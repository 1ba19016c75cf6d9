import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { whyNoSandbox } from '@docket/sandbox/testing/open-sandbox'
import { siteInMemory } from '@docket/site-bundle/testing/site-in-memory'
import { temporaryFolder } from '@docket/site-bundle/testing/temporary-folder'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createPictureTaker } from './take-picture.ts'

const browser = process.env['E2E_CHROMIUM'] ?? '/usr/bin/chromium'
const reason = existsSync(browser) ? await whyNoSandbox() : `there is no Chromium at ${browser}`
beforeEach(({ skip }) => skip(reason !== null, `not run: ${reason}`))

const take = async (page: string, files: Readonly<Record<string, string | Buffer>> = {}) => {
  const picture = createPictureTaker(browser, { dataDir: await temporaryFolder(), hidden: [] })
  const site = siteInMemory({ 'index.html': `<!doctype html><title>A</title>${page}`, ...files })
  return picture(site, new AbortController().signal)
}

test('the picture shows the page with its styles and images, 1280 × 800', async () => {
  const plain = await take('<h1>Handbook</h1>')
  expect([plain.readUInt32BE(16), plain.readUInt32BE(20)]).toEqual([1280, 800])
  const styled = await take('<link rel="stylesheet" href="/a.css"><h1>Handbook</h1>', {
    'a.css': 'body { background: green }',
  })
  const pictured = await take('<img src="a.svg"><h1>Handbook</h1>', {
    'a.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><rect width="90" height="90"/></svg>',
  })
  expect(styled.equals(plain)).toBe(false)
  expect(pictured.equals(plain)).toBe(false)
})

test('no script of a page runs', async () => {
  const paint = 'document.documentElement.style.background = "red"'
  const scripts = [
    `<script>${paint}</script><script src="/a.js"></script><script type="module">${paint}</script>`,
    `<img src="/none.png" alt="" hidden onerror='${paint}'><svg hidden onload='${paint}'></svg>`,
    `<iframe hidden src='javascript:parent.${paint}'></iframe>`,
  ].join('')
  const [plain, attempted] = [await take('<h1>A</h1>'), await take(`<h1>A</h1>${scripts}`, { 'a.js': paint })]
  expect(attempted.equals(plain)).toBe(true)
  // The same page is red when its style says so, so a script that had run would be seen.
  expect((await take('<h1>A</h1><style>html { background: red }</style>')).equals(plain)).toBe(false)
})

test('a page shows no file of the machine, and reaches no other host', async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const show = (file: string) =>
    take(
      ['iframe src', 'embed src', 'object data', 'img alt="" src']
        .map((tag) => `<${tag}="${file}" width="600" height="150"></${tag.split(' ')[0]}>`)
        .join(''),
    )
  const missing = await show('file:///etc/there-is-no-such-file')
  for (const file of ['file:///etc/passwd', 'file:///usr/share/common-licenses/GPL-3'])
    expect((await show(file)).equals(missing), file).toBe(true)
  expect((await take(`<meta http-equiv="refresh" content="0;url=file:///etc/passwd">`)).equals(await take(''))).toBe(
    true,
  )
  await show(`http://127.0.0.1:${port}/a`)
  expect(connections).toBe(0)
})

test('the browser sees none of Docket’s folders, even beside its own program', async () => {
  const look = async (hide: (folder: string) => { dataDir: string; hidden: string[] }) => {
    const place = await temporaryFolder()
    const [program, beside] = [join(place, 'browser'), join(place, 'beside')]
    await writeFile(program, '#!/bin/sh\necho sees $(ls -A "$(dirname "$0")")\n', { mode: 0o755 })
    await mkdir(beside)
    const picture = createPictureTaker(program, hide(beside))(null, new AbortController().signal)
    return picture.catch(({ message }: Error) => message)
  }
  const dataDir = await temporaryFolder()
  expect(await look(() => ({ dataDir, hidden: [] }))).toMatch(/sees beside browser$/)
  expect(await look((folder) => ({ dataDir: folder, hidden: [] }))).toMatch(/sees browser\b/)
  expect(await look((folder) => ({ dataDir, hidden: [folder] }))).toMatch(/sees browser\b/)
})

/** A black image of many pixels in few bytes. */
const packPixels = (side: number) => {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0])
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  const pixels = deflateSync(Buffer.alloc((side * 4 + 1) * side), { level: 9 })
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

test.each([
  [
    'a huge page',
    `<div style="height: 30000000px; background: linear-gradient(red, blue)"></div>${'<p>word '.repeat(300_000)}`,
  ],
  [
    'endless animations',
    `<style>@keyframes a { to { transform: rotate(1turn); filter: blur(90px) } } i { animation: a 1ms infinite }</style>${'<i>x</i>'.repeat(5_000)}`,
  ],
  ['a page that leads to itself', '<meta http-equiv="refresh" content="0;url=/">'],
  ['deep boxes', '<div style="padding:1px;filter:blur(5px)">'.repeat(3_000)],
  ['images of a billion pixels', Array.from({ length: 9 }, (_, n) => `<img src="a.png?${n}">`).join('')],
])('%s ends in a picture or in a limit', async (_, page) => {
  const files = page.includes('a.png') ? { 'a.png': packPixels(12_000) } : {}
  const result = await take(page, files).catch(({ message }: Error) => message)
  if (typeof result === 'string') expect(result).toMatch(/^The (command was stopped|browser took)/)
  else expect(result.subarray(1, 4).toString()).toBe('PNG')
})
