import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBrowser } from '#bench/harness/browser.ts'
import { digits, line, type Row } from '#bench/harness/row.ts'
import { median } from '#bench/harness/statistics.ts'
import { searchedPages, toWord } from '#bench/search/texts.ts'
import { createSearchIndex } from '#packages/site-exporter/src/writer/search/search-index.ts'
import { serveSite } from '#scripts/sites/static-host.ts'

const pages = 20_000
const ranks = [40, 300, 3_000, 12_000, 40_000]
const queries = ranks.map((rank, index) => `${toWord(rank)} ${toWord(ranks[(index + 1) % ranks.length]!)}`)

/** A page with the search, and the index of a site of so many pages. */
const writeIndex = () => {
  const files = new Map<string, Buffer>()
  const write = (file: string, content: string) => void files.set(file, Buffer.from(content))
  const all = [...searchedPages(pages)]
  const before = process.cpuUsage()
  const numbers = new Map(all.map(({ path }) => [path, 0]))
  const index = createSearchIndex({ scopes: [{ lang: 'en', version: null }], numbers }, write)
  for (const page of all) index.add(page)
  index.close()
  const { user, system } = process.cpuUsage(before)
  const sizes = [...files.values()].map(({ length }) => length)
  return {
    files,
    cpuMs: (user + system) / 1_000 / pages,
    kilobytes: sizes.reduce((sum, size) => sum + size, 0) / 1_000,
  }
}

const assets = join(import.meta.dirname, '..', '..', 'packages', 'site-exporter', 'src', 'writer', 'assets')
const script = (name: string) => readFileSync(join(assets, `${name}.js`))

const html = `<!doctype html><meta charset="utf-8"><title>Search</title><link rel="icon" href="data:,">
<script src="_docket/site.js" data-root=""></script><script defer src="_docket/search.js"></script>
<main></main><button data-search hidden>Search</button>`

/** The search of an exported site in Chromium. */
export const search: Row = {
  name: 'search',
  title: 'Search of an exported site',
  method: `The index of ${pages} generated pages of 600 words, of 60,000 different ones, in Chromium. The first query loads the index over HTTP without compression and cache, with scripts of the page; the bytes are those that the page has received by then. The time goes from the last letter to the first results, with the files of other queries loaded.`,
  run: async () => {
    const { files, cpuMs, kilobytes } = writeIndex()
    files.set('_docket/site.js', script('start'))
    files.set('_docket/search.js', Buffer.concat(['search-words', 'search-index', 'search'].map(script)))
    files.set('index.html', Buffer.from(html))
    const { browser, close } = await openBrowser()
    const host = await serveSite(files, '')
    try {
      const firsts: number[] = []
      const times: number[] = []
      for (const query of queries) {
        const context = await browser.newContext()
        const page = await context.newPage()
        let received = 0
        page.on('response', (response) => {
          received += files.get(new URL(response.url()).pathname.slice(1))?.length ?? 0
        })
        await page.goto(host.url)
        const ask = async (text: string) => {
          await page.keyboard.press('/')
          const startMs = performance.now()
          await page.getByRole('searchbox').fill(text)
          await page.locator('.search-results a').first().waitFor()
          return performance.now() - startMs
        }
        await ask(query)
        firsts.push(received / 1_000)
        for (const other of queries.filter((one) => one !== query).slice(0, 2)) {
          await page.getByRole('searchbox').fill('')
          await page.locator('.search-results a').first().waitFor({ state: 'detached' })
          times.push(await ask(other))
        }
        await context.close()
      }
      const first = Math.max(...firsts)
      return [
        line('first query with all its files, kB', digits(first), '', first, { atMost: 500 }),
        line('later query, to its results, ms', digits(median(times)), '', median(times), { atMost: 300 }),
        line('index of a page, kB', digits(kilobytes / pages), '', kilobytes / pages),
        line('CPU of the index per page, ms', digits(cpuMs), '', cpuMs, { atMost: 1.5 }),
      ]
    } finally {
      await host.close()
      await close()
    }
  },
}
