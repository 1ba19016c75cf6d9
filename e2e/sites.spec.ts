import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/connected.ts'
import { packSite } from '#e2e/support/pack-site.ts'
import { startExport } from '#e2e/support/story.ts'

const packHandbook = (words: string, more = '') => {
  const layOut = (main: string) =>
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Handbook</title></head><body><main><h1>Handbook</h1><p>${main}</p>${more}</main></body></html>`
  return packSite({ 'index.html': layOut(words), '404.html': layOut('There is no such page.') })
}

const domain = 'handbook.example.com'

test('an export is published in two clicks, and the next one can be compared, published too, and rolled back @story', async ({
  page,
  service,
  tolerate,
}) => {
  // The hosted site is another origin, and this is where it opens.
  tolerate(({ kind, text }) => kind === 'foreign request' && new URL(text).host.startsWith('handbook-example-com.'))
  tolerate(({ text }) => /handbook-example-com\.localhost|elsewhere\.example/.test(text))
  service.pack(await packHandbook('The first words.'))
  service.stand({ status: 'completed' })
  const row = await startExport(page, domain)
  await expect(row.getByText('Stored', { exact: false })).toBeVisible()
  await row.getByRole('link', { name: domain, exact: true }).click()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Checks before publishing').click()
  await expect(dialog.getByText('The check of the bundle finished.')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
  const opening = page.waitForEvent('popup')
  await dialog.getByRole('link', { name: /^Open it/ }).click()
  const reader = await opening
  await expect(reader).toHaveURL(/^http:\/\/handbook-example-com\.localhost:\d+\/$/)
  await expect(reader.getByText('The first words.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).first().click()

  service.pack(await packHandbook('The second words.', '<img src="https://elsewhere.example/x.png" alt="A shelf">'))
  const next = await startExport(page, domain)
  await expect(next.getByText('Stored · 1 leak')).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sites' }).click()
  await page.getByRole('link', { name: domain }).first().click()
  await expect(page.getByText('Newer export', { exact: false })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(dialog.getByText(/^1 new outside request:/)).toBeVisible()
  await expect(dialog.getByText(/pages? changed/).first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Publish anyway and say why' }).click()
  await dialog.getByLabel('Why publish anyway?').fill('The gap has a mirror of that host.')
  await dialog.getByRole('button', { name: /^Publish/ }).click()
  await dialog.getByRole('button', { name: 'Close' }).first().click()
  await expect(page.getByText('The gap has a mirror of that host.').first()).toBeVisible()
  await expect(async () => {
    await reader.reload()
    await expect(reader.getByText('The second words.')).toBeVisible({ timeout: 1_000 })
  }).toPass()

  await page.getByRole('button', { name: 'Roll back' }).first().click()
  await page.getByRole('button', { name: 'Roll back to release 1' }).click()
  await expect(page.getByText('Release 3').first()).toBeVisible()
  await expect(async () => {
    await reader.reload()
    await expect(reader.getByText('The first words.')).toBeVisible({ timeout: 1_000 })
  }).toPass()
})
