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
