import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test, type Page } from '@playwright/test'
import { exportSource } from '#scripts/sites/export-source.ts'
import { unpackSite } from '#scripts/sites/site-folder.ts'
import { serveSite } from '#scripts/sites/static-host.ts'

/** As a framework with a router does: it draws the page anew, and knows only its own addresses. */
const router = `const known = ['/docs/', '/docs/guide/', '/docs/ar/', '/docs/zh/'];
document.getElementById('__docusaurus').dataset.started = '';
if (!known.includes(location.pathname.replace(/index\\.html$/, ''))) document.body.textContent = 'Page Not Found';
else document.querySelector('button.theme').onclick = () => (document.querySelector('output').textContent = 'dark')`

const page = (
  title: string,
  body: string,
  html = 'lang=en',
) => `<!doctype html><html ${html}><head><meta charset=utf-8><title>${title}</title>
<link rel=stylesheet href=/docs/a.css crossorigin><script src=https://count.example.org/c.js></script><script defer src=/docs/router.js></script></head>
<body><div id=__docusaurus><button class="DocSearch-Button">Search</button><button class=theme>Theme</button><output></output>
<main><h1>${title}</h1>${body}<p>This text is long enough for a page that shows something by itself.</p></main></div></body></html>`

const built: Readonly<Record<string, string>> = {
  'index.html': page('Harbour', '<a href=/docs/guide/>Guide</a>'),
  'guide/index.html': page('Guide', '<h2 id=anchor>Anchoring</h2><p>Drop the anchor slowly.</p>'),
  'ar/index.html': page('المرفأ', '<h2 id=rope>شدّ الحِبال</h2><p>اربط السفينة قبل العاصفة.</p>', 'lang=ar dir=rtl'),
  'zh/index.html': page('港口', '<h2 id=rope>系紧缆绳</h2><p>风暴来临之前请把船系好。</p>', 'lang=zh-CN'),
  'a.css': 'h1{color:rgb(1, 2, 3)}',
  'router.js': router,
}

const writeFiles = async (folder: string) => {
  for (const [file, content] of Object.entries(built)) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), content)
  }
}

const readGuide = async (tab: Page, start: string) => {
  await tab.goto(start)
  await expect(tab.getByRole('heading', { name: 'Harbour' })).toHaveCSS('color', 'rgb(1, 2, 3)')
  await tab.getByRole('link', { name: 'Guide' }).click()
  await expect(tab.getByRole('heading', { name: 'Guide' })).toBeVisible()
  await expect(tab.getByText('Page Not Found')).toHaveCount(0)
}

/** What people write, who leave out the marks of vowels, and the heading that it leads to. */
const searches = [
  { folder: 'ar', text: 'الحبال', heading: 'شدّ الحِبال' },
  { folder: 'zh', text: '缆绳', heading: '系紧缆绳' },
] as const

/** With the keyboard alone. */
const searchByKeyboard = async (tab: Page, { folder, text, heading }: (typeof searches)[number]) => {
  await tab.keyboard.press('/')
  await expect(tab.getByRole('searchbox')).toBeFocused()
  await tab.keyboard.type(text)
  await expect(tab.getByRole('link', { name: heading })).toBeVisible()
  await tab.keyboard.press('ArrowDown')
  await tab.keyboard.press('ArrowDown')
  await expect(tab.getByRole('link', { name: heading })).toBeFocused()
  await tab.keyboard.press('Enter')
  await expect(tab).toHaveURL(new RegExp(`${folder}/index\\.html#rope$`))
}

test('a built site shows its pages from a disk, below any path and at its own, and its search works in each, in other scripts and by keyboard alone', async ({
  page: tab,
}) => {
  const source = await mkdtemp(join(tmpdir(), 'portable-site-'))
  await writeFiles(source)
  const { bundle, pageCount } = await exportSource(`built=${source}`)
  expect(pageCount).toBe(4)
  const { files, folder, close: remove } = await unpackSite(bundle)
  const hosts = await Promise.all(['', '/some/path', '/docs'].map((prefix) => serveSite(files, prefix)))
  const asked: string[] = []
  tab.on('request', (request) => asked.push(request.url()))
  try {
    const disk = `${pathToFileURL(folder).href}/`
    const places = [`${disk}index.html`, ...hosts.map(({ url }) => url)]
    for (const start of places) {
      await readGuide(tab, start)
      const startsRouter = start.endsWith('/docs/')
      await expect(tab.locator('[data-started]')).toHaveCount(startsRouter ? 1 : 0)
      if (startsRouter) {
        await tab.getByRole('button', { name: 'Theme' }).click()
        await expect(tab.locator('output')).toHaveText('dark')
      }
      // The site's own box asked a service of another host.
      await tab.getByRole('button', { name: 'Search' }).first().click()
      await tab.getByRole('searchbox').fill('anchor')
      await tab.getByRole('link', { name: 'Anchoring' }).click()
      await expect(tab).toHaveURL(/guide\/index\.html#anchor$/)
      for (const search of searches) {
        await tab.goto(new URL(`${search.folder}/index.html`, start).href)
        await searchByKeyboard(tab, search)
      }
    }
    const own = [disk, ...hosts.map(({ url }) => new URL(url).origin)]
    expect(asked.filter((url) => !own.some((place) => url.startsWith(place)) && !url.startsWith('data:'))).toEqual([])
  } finally {
    await Promise.all(hosts.map(({ close }) => close()))
    await remove()
    await rm(source, { recursive: true, force: true })
  }
})

const writing = `---
title: Writing
---

Some **bold**, _slanted_ and \`code\` with a [page](/other#part), an [address](https://example.com/a?b=1) and a picture: ![Blue](/blue.svg)

## A list

- one
  - inner
- two

1. first

   more of it
2. second

| Name | Value |
| --- | ---: |
| a \\| b | \`1\` |

\`\`\`js
const a = \`x\` // said

a()
\`\`\`

> Quoted

<Tabs><Tab title="npm">npm text</Tab><Tab title="pnpm">pnpm text</Tab></Tabs>

<Note>Mind the gap.</Note>
`

test('Copy page gives the text of the page’s Markdown copy, and Ctrl+K opens the search on keyboards without Latin letters', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const source = await mkdtemp(join(tmpdir(), 'exported-site-'))
  const sources = {
    'index.mdx': writing,
    'other.md': '# Other\n\n## Part\n\nText.\n',
    'blue.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path fill="blue" d="M0 0h9v9z"/></svg>',
  }
  for (const [file, text] of Object.entries(sources)) await writeFile(join(source, file), text)
  const { bundle } = await exportSource(source)
  const { files, close: remove } = await unpackSite(bundle)
  const host = await serveSite(files, '/some/path')
  try {
    await page.goto(host.url)
    await page.getByRole('button', { name: 'Copy page' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('Mind the gap.')
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    // The copy on the clipboard names pages with their whole address, the one in the bundle its neighbours.
    const neighbours = copied.replaceAll(new URL('.', host.url).href, '').replaceAll(/(\]\(\w+)\.html/g, '$1.md')
    expect(neighbours).toBe(files.get('index.md')!.toString('utf8'))

    await page.keyboard.press('Escape')
    for (const key of ['л', 'ن', 'ל', 'k']) {
      const asked = { key, code: 'KeyK', ctrlKey: true, bubbles: true, cancelable: true }
      await page.evaluate((init) => document.body.dispatchEvent(new KeyboardEvent('keydown', init)), asked)
      await expect(page.getByRole('dialog')).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
    }
    const dvorak = { key: 't', code: 'KeyK', ctrlKey: true, bubbles: true }
    await page.evaluate((init) => document.body.dispatchEvent(new KeyboardEvent('keydown', init)), dvorak)
    await expect(page.getByRole('dialog')).toBeHidden()
  } finally {
    await host.close()
    await remove()
    await rm(source, { recursive: true, force: true })
  }
})
