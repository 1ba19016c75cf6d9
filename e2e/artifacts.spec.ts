import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/connected.ts'
import { packSite } from '#e2e/support/pack-site.ts'
import {
  answered,
  chooseFromMenu,
  download,
  expectMessage,
  exportRows,
  openPart,
  startExport,
} from '#e2e/support/story.ts'

/** A page of the site. Another build has other ids in its markup. */
const layOut = (build: string, title: string, main: string) => `<!doctype html>
<html lang="en" data-build="${build}">
<head><meta charset="utf-8"><title>${title}</title></head>
<body>
<nav><a href="/index.html">Start</a> <a href="/guide.html">Guide</a> <a href="/limits.html">Limits</a></nav>
<main id="main-${build}"><h1>${title}</h1>${main}</main>
</body>
</html>`

const packHandbook = ({ build, pages, leak }: { build: string; pages: string; leak: string }) =>
  packSite({
    'index.html': layOut(build, 'Start', '<p>A handbook for people behind an air gap.</p>'),
    'guide.html': layOut(build, 'Guide', `<p>Ask for an export.</p><img src="${leak}" alt="A shelf of bundles">`),
    'limits.html': layOut(build, 'Limits', `<p>An export has at most ${pages} pages. Larger sites are split.</p>`),
    '404.html': layOut(build, 'Not found', '<p>There is no such page.</p>'),
  })

test('a planted leak is found, blocked and accepted; the next export shows its one-word change and outlives the service’s job @story', async ({
  page,
  service,
  tolerate,
}) => {
  const leak = `${service.outsideUrl}shelf.png`
  // Previews have hosts of their own, and the browser reports what their policy blocks.
  tolerate(
    ({ kind, text }) => kind === 'foreign request' && (text === leak || new URL(text).host.includes('.previews-')),
  )
  tolerate(({ kind, text }) => kind !== 'foreign request' && text.includes(leak) && /img-src/.test(text))
  const domain = 'shelf.example.com'
  service.pack(await packHandbook({ build: 'a1b2c3', pages: 'forty', leak }))
  service.stand({ status: 'completed' })
  const row = await startExport(page, domain)
  await expect(row.getByText('1 outside request')).toBeVisible()
  await row.getByRole('link', { name: domain, exact: true }).click()
  await openPart(page, 'Findings')
  const finding = page.getByRole('article').filter({ hasText: 'elsewhere.localhost' })
  const cause = finding.getByRole('heading').getByRole('button')
  await expect(cause).toBeVisible()
  if ((await cause.getAttribute('aria-expanded')) === 'false') await cause.click()
  await expectAccessible(page)

  await finding.getByRole('button', { name: 'Accept…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Accept this finding?' })
  await dialog.getByLabel('Reason').fill('The gap has a mirror of that host.')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Accept finding' }).click()
  // It stays in its place, so that a slip can be taken back there.
  await expect(finding).toContainText('The gap has a mirror of that host.')
  const outside = page.getByRole('group', { name: 'Level' }).getByRole('button', { name: /Outside requests/ })
  await expect(outside).toHaveText(/^0/)
  await finding.getByRole('button', { name: 'Take back' }).click()
  await expect(outside).toHaveText(/^1/)

  await finding.getByRole('link', { name: /^Preview of/ }).click()
  const previewed = page.frameLocator('iframe')
  await expect(previewed.getByRole('heading', { name: 'Guide' })).toBeVisible()
  const blocked = page.getByRole('region', { name: /^Blocked requests/ })
  await expect(blocked.getByRole('listitem')).toHaveText(`Image${leak}On this page`)
  await expectAccessible(page)
  await previewed.getByRole('link', { name: 'Limits' }).click()
  await expect(previewed.getByText('at most forty pages')).toBeVisible()
  expect(service.outside).toEqual([])

  service.pack(await packHandbook({ build: 'd4e5f6', pages: 'sixty', leak }))
  const next = await startExport(page, domain)
  await expect(exportRows(page, domain).getByText('1 outside request')).toHaveCount(2)
  await next.getByRole('link', { name: domain, exact: true }).click()
  await expect(page.getByRole('region', { name: 'Changes' }).getByText('1 changed')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Findings' }).getByText('1 outside request').first()).toBeVisible()
  await openPart(page, 'Changes')
  const changes = page.getByRole('region', { name: 'Changes' })
  await expect(changes.getByRole('listitem')).toHaveCount(1)
  await expect(changes.getByRole('listitem')).toContainText('/limits')
  await expect(changes.getByText('Across the site')).toHaveCount(0)
  await expectAccessible(page)
  await changes.getByRole('link', { name: 'Limits' }).click()
  const words = page.getByRole('region', { name: 'Words' })
  await expect(words.getByRole('deletion')).toHaveText('[removed: forty]')
  await expect(words.getByRole('insertion')).toHaveText('[added: sixty]')
  await expectAccessible(page)
  await page.getByRole('navigation', { name: 'View' }).getByRole('link', { name: 'Previews' }).click()
  for (const [nth, text] of ['at most forty pages', 'at most sixty pages'].entries())
    await expect(page.frameLocator('iframe').nth(nth).getByText(text)).toBeVisible()
  await expectAccessible(page)

  await service.be('forgetful')
  tolerate(answered(404))
  await chooseFromMenu(page, 'Check now')
  await expectMessage(page, `Checked ${domain} just now.`)
  await page.reload()
  // A lost job takes nothing from a bundle that Docket has.
  await expect(page.getByText('The last check failed')).toHaveCount(0)
  const { bytes } = await download(page, page.locator('main header'))
  expect(bytes.equals(service.archive)).toBe(true)
})
