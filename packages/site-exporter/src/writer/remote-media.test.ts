import { expect, test } from 'vitest'
import { exportFiles, linkProblems } from '#testing/site.ts'
import type { RemoteFile } from '#site/remote-file.ts'

const bytes = (hex: string) => Buffer.from(hex, 'hex')
const png = bytes('89504e470d0a1a0a0000')
const answers: Readonly<Record<string, RemoteFile>> = {
  'a.png': { content: png, type: 'image/png' },
  b: { content: png, type: 'application/octet-stream' },
  'c.jpg': { content: Buffer.from('<html>'), type: 'image/jpeg' },
  'd.png': { content: png, type: 'text/html' },
  'e.svg': { content: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>'), type: 'image/svg+xml' },
  'f.svg': { content: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), type: 'image/svg+xml' },
  'g.mp4': { content: bytes('0000001866747970697336d6'), type: 'video/mp4' },
  'h.pdf': { content: Buffer.from('%PDF-1.7'), type: 'application/pdf' },
  'i.png': { problem: 'it answers 500' },
  'k.woff2': { content: bytes('774f46320001'), type: 'font/woff2' },
}

const readRemote = (address: string) => {
  const { host, pathname } = new URL(address)
  return Promise.resolve(host === 'cdn.example.com' ? answers[pathname.slice(1)]! : null)
}

test('pictures, films and PDFs of allowed hosts are bundled, and those of other hosts stay links and are reported', async () => {
  const cdn = 'https://cdn.example.com'
  const page = [
    `![A](${cdn}/a.png) ![B](${cdn}/b?x=1) ![C](${cdn}/c.jpg) ![D](${cdn}/d.png) ![E](${cdn}/e.svg) ![F](${cdn}/f.svg)`,
    `<video src="${cdn}/g.mp4"></video> <iframe src="${cdn}/a.png"></iframe>`,
    `[H](${cdn}/h.pdf) [I](${cdn}/page.html) ![J](${cdn}/i.png) ![K](https://elsewhere.example.com/k.png)`,
  ].join('\n\n')
  const { files, report } = await exportFiles({ 'index.md': page }, { readRemote })
  const html = files.get('index.html')!
  const media = [...files.keys()].filter((name) => name.startsWith('media/')).toSorted()
  expect(media.map((name) => name.replace(/\.[\da-f]{8}\./, '.'))).toEqual(
    ['a.png', 'b.png', 'f.svg', 'g.mp4', 'h.pdf'].map((name) => `media/${name}`),
  )
  for (const name of media) expect(html).toContain(`="${name}"`)
  expect(html).toContain(`<a href="${cdn}/page.html" rel="noopener noreferrer">I</a>`)
  expect(html).toContain(`href="https://elsewhere.example.com/k.png"`)
  expect(report.lines.filter(({ kind }) => kind === 'missing-file').map(({ what }) => what)).toEqual([
    `${cdn}/c.jpg: its content is no picture, film, sound, font or PDF (image/jpeg)`,
    `${cdn}/d.png: its content does not match its type, text/html`,
    `${cdn}/e.svg: the SVG is not copied: it has onload`,
    `${cdn}/i.png: it answers 500`,
  ])
  expect(report.otherHosts).toEqual({ 'cdn.example.com': 5, 'elsewhere.example.com': 1 })
  expect(linkProblems(files)).toEqual([])
})

test('a font and a logo of an allowed host are bundled, and those of other hosts are reported', async () => {
  const cdn = 'https://cdn.example.com'
  const settings = {
    logo: `${cdn}/a.png`,
    fonts: {
      heading: { family: 'Far', source: `${cdn}/k.woff2`, format: 'woff2' },
      body: { family: 'Farther', source: 'https://elsewhere.example.com/k.woff2', format: 'woff2' },
    },
    navigation: { pages: ['one'] },
  }
  const source = { 'docs.json': JSON.stringify(settings), 'one.mdx': '# One\n' }
  const { files, report } = await exportFiles(source, { readRemote })
  expect(files.get('_docket/site.css')).toMatch(
    /@font-face\{font-family:'Site heading';src:url\(\.\.\/media\/k\.[\da-f]{8}\.woff2\)/,
  )
  expect(files.get('one.html')).toMatch(/<img class="" src="media\/a\.[\da-f]{8}\.png"/)
  expect(report.lines.map(({ what }) => what)).toEqual([
    'the setting `fonts.body.source`: https://elsewhere.example.com/k.woff2 is on another host',
  ])
})
