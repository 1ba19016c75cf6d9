import { expect, test } from '#e2e/support/docket.ts'
import { download, startExport } from '#e2e/support/story.ts'
import { browserCheck } from '#scripts/sites/browser-check.ts'
import { unpacked } from '#scripts/sites/site-folder.ts'

// The long form, with more pages and over sites of any kind, is `pnpm sites:check`.
test('a downloaded site works from a web root, below a path and from the disk, and looks right everywhere', async ({
  page,
  browser,
}) => {
  const row = await startExport(page, 'docs.localhost')
  await expect(row.getByText('Completed', { exact: true })).toBeVisible({ timeout: 30_000 })
  const { bytes } = await download(page, row)
  const site = await unpacked(bytes)
  try {
    const { counts, faults } = await browserCheck(site, { pages: 4, sample: 1, browser })
    expect(faults).toEqual([])
    expect(counts).toMatchObject({ visits: 12, searches: 3, looks: 1 })
  } finally {
    await site.close()
  }
})
