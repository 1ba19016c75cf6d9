import { expect, test } from '#e2e/support/docket.ts'
import { download, startExport } from '#e2e/support/story.ts'
import { browserCheck } from '#scripts/sites/browser-check.ts'
import { unpackSite } from '#scripts/sites/site-folder.ts'

// The long form, with more pages and over sites of any kind, is `pnpm sites:check`.
test('a downloaded site works and looks right at a web root, below a path and from the disk @story', async ({
  page,
  browser,
}) => {
  const row = await startExport(page, 'docs.localhost')
  await expect(row.getByText('Completed', { exact: true })).toBeVisible()
  const { bytes } = await download(page, row)
  const site = await unpackSite(bytes)
  try {
    const { counts, faults } = await browserCheck(site, { pages: 2, sample: 1, browser })
    expect(faults).toEqual([])
    expect(counts).toMatchObject({ visits: 6, searches: 3, looks: 1 })

    // The same check over the same site with one fault of each kind, as a check that cannot fail says nothing.
    const files = new Map([...site.files].filter(([name]) => !name.endsWith('.html')))
    const plant = (name: string, content: string) => files.set(name, Buffer.from(content))
    const html = site.files.get('quickstart.html')!.toString('utf8')
    const unguarded = html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '')
    const planted = `<img src="https://example.com/x.png"><script src="_docket/nowhere.js"></script><p><span class="badge">${'wide '.repeat(99)}</span>`
    plant('index.html', unguarded.replace('<article>', `<article>${planted}`))
    plant('z-bare.html', html.replace(/<link rel="stylesheet"[^>]*>/, ''))
    plant('z-empty.html', html.replace(/(<main[^>]*>)[\s\S]*<\/main>/, '$1</main>'))
    plant('_docket/search/start.js', 'docketSearch("start",{')
    const found = await browserCheck({ ...site, files }, { pages: 3, sample: 1, onlyFromRoot: true, browser })
    expect([...new Set(found.faults.map(({ kind }) => kind))].toSorted()).toEqual(
      ['accessibility', 'console', 'content', 'request', 'search', 'style', 'third-party', 'width'].toSorted(),
    )
  } finally {
    await site.close()
  }
})
