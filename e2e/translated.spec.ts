import type { Page } from '@playwright/test'
import { expect, test } from '#e2e/support/docket.ts'
import { exportRow, exportRows, siteRow, startExport, untilSaved } from '#e2e/support/story.ts'

/** Replaces every text by a copy in `<font>`, also later ones, as the translator of a browser does. */
const translate = () => {
  const wrap = (text: Text) => {
    const parent = text.parentElement
    if (parent === null || text.data.trim() === '' || parent.closest('font, script, style, title, textarea, svg'))
      return
    const [outer, inner] = [document.createElement('font'), document.createElement('font')]
    inner.textContent = text.data
    outer.append(inner)
    text.replaceWith(outer)
  }
  const wrapAll = (root: Node) => {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const found: Text[] = []
    while (texts.nextNode()) found.push(texts.currentNode as Text)
    if (root instanceof Text) found.push(root)
    for (const text of found) wrap(text)
  }
  new MutationObserver((records) => {
    for (const { target, addedNodes } of records)
      if (target instanceof Text) wrap(target)
      else for (const node of addedNodes) wrapAll(node)
  }).observe(document, { childList: true, characterData: true, subtree: true })
}

/** Moves to a page as a link does, without a new document. */
const move = async (page: Page, path: string) => {
  await page.evaluate((to) => history.pushState(null, '', to), path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('This page crashed')).toHaveCount(0)
}

test.beforeEach(({ page }) => page.addInitScript(translate))

test('a translated page goes on while an export runs, on every page @story', async ({ page }) => {
  const row = await startExport(page, 'slow-177.sentinel.test')
  await expect(row.getByRole('progressbar')).toBeVisible()
  await expect(row.locator('font').first()).toBeAttached()
  const exportPath = (await row.locator('a[href^="/exports/"]').first().getAttribute('href')) ?? ''
  const pages = [
    '/',
    '/exports',
    exportPath,
    `${exportPath}/history`,
    '/domains/slow-177.sentinel.test',
    '/sites',
    '/agent-jobs',
    '/agent-jobs/prompts',
    '/activity',
    '/settings/connections',
    '/settings/account',
    '/settings/people',
    '/settings/tokens',
    '/settings/storage',
    '/settings/audit',
    '/settings/about',
    '/no/such/page',
  ]
  for (const path of [...pages, ...pages.toReversed()]) await move(page, path)
  for (const path of ['/', '/exports', exportPath]) {
    await move(page, path)
    const row = (path === '/' ? siteRow : exportRow)(page, 'slow-177.sentinel.test')
    const live = path === exportPath ? page.getByRole('main') : row
    await expect(live.getByRole('progressbar')).toBeVisible()
    const before = await live.innerText()
    await expect.poll(() => live.innerText()).not.toBe(before)
  }
})

test('on a translated page, what an export came to replaces its progress, and counts follow @story', async ({
  page,
}) => {
  await startExport(page, 'docs.localhost')
  const row = exportRows(page, 'docs.localhost').first()
  await expect(row.getByText('Completed', { exact: true }).first()).toBeVisible()
  await expect(row.getByRole('progressbar')).toHaveCount(0)
  await untilSaved(row)
  await expect(row.getByText('Newest', { exact: true }).first()).toBeVisible()
  const words = await row.innerText()
  await page.reload()
  await expect(row.getByText('Completed', { exact: true }).first()).toBeVisible()
  const withoutTimes = (text: string) => text.replaceAll(/\d+ \w+ ago|just now/g, '…').replaceAll(/\s+/g, ' ')
  await expect.poll(async () => withoutTimes(await row.innerText())).toBe(withoutTimes(words))
})
