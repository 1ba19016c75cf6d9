import { readFileSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/docket.ts'
import {
  answered,
  chooseFromMenu,
  chooseFromNewExport,
  download,
  openPart,
  sha256,
  startExport,
  untilSaved,
} from '#e2e/support/story.ts'

test('a completed export is stored, and each part of its page has an address that survives a reload @story', async ({
  page,
}) => {
  const domain = 'slow-5.sentinel.test'
  const row = await startExport(page, domain)
  await untilSaved(row)
  await row.getByRole('link', { name: domain, exact: true }).click()
  await expect(page.getByRole('region', { name: 'Findings' })).toBeVisible()
  const { bytes } = await download(page, page)
  await page.getByText('Details', { exact: true }).click()
  await expect(page.getByText(sha256(bytes), { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Other downloads' }).click()
  const [sums] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: '.sha256' }).click(),
  ])
  expect(readFileSync(await sums.path(), 'utf8')).toContain(sha256(bytes))
  await expectAccessible(page)

  await openPart(page, 'Contents')
  await expect(page).toHaveURL(/\/contents$/)
  await expect(page).toHaveTitle(`Contents · ${domain} · Docket`)
  await expect(page.getByRole('link', { name: /^Contents/ })).toHaveAttribute('aria-current', 'page')
  await page.getByLabel('Filter pages').fill('limits')
  await expect(page).toHaveURL(/\/contents\?q=limits$/)
  await page.reload()
  await expect(page.getByLabel('Filter pages')).toHaveValue('limits')
  await expect(page.getByRole('status').filter({ hasText: 'match' })).toBeVisible()
  await expectAccessible(page)

  // The addresses of both halves before they became one page.
  await page.goto(`${new URL(page.url()).pathname.replace('contents', 'pages')}?q=limits`)
  await expect(page).toHaveURL(/\/contents\?q=limits$/)
  await page.goto(new URL(page.url()).pathname.replace('contents', 'files'))
  await expect(page).toHaveURL(/\/contents\?show=files$/)
  await expect(page.getByRole('button', { name: 'Files', exact: true })).toHaveAttribute('aria-pressed', 'true')
  const file = page.getByRole('listitem').filter({ hasText: 'index.html' }).first()
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    file.getByRole('link', { name: /^Download/ }).click(),
  ])
  await expect(file).toContainText(sha256(readFileSync(await saved.path())))
  await expectAccessible(page)

  await openPart(page, 'History')
  await expect(page.getByRole('region', { name: 'History' }).getByText('Saved in Docket')).toBeVisible()
  await page.setViewportSize({ width: 360, height: 740 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
})

test('a stored copy can be kept, deleted after a confirmation, and stored again', async ({ page }) => {
  const domain = 'slow-06.sentinel.test'
  const row = await startExport(page, domain)
  await untilSaved(row)
  await row.getByRole('link', { name: domain, exact: true }).click()
  await chooseFromMenu(page, 'Keep for good')
  await page.getByText('Details', { exact: true }).click()
  await expect(page.getByText('For good', { exact: true })).toBeVisible()
  await chooseFromMenu(page, 'Delete the bundle…')
  const dialog = page.getByRole('dialog', { name: 'Delete the bundle?' })
  await expect(dialog.getByText('Somebody marked it to be kept.')).toBeVisible()
  await expect(dialog.getByText('No other export points to it.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Delete the bundle' }).click()
  await expect(page.getByText(`Deleted the bundle of ${domain}.`).first()).toBeVisible()
  await expect(page.getByText('Not saved · deleted')).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Parts of this export' }).getByRole('link')).toHaveText([
    'Overview',
    'History',
  ])
  await page.getByRole('button', { name: 'Save in Docket' }).click()
  await openPart(page, 'Contents')
  await expect(page.getByLabel('Filter pages')).toBeVisible()
})

test('a refused upload shows the reason and keeps what was typed, and an accepted one opens its page', async ({
  page,
  tolerate,
}) => {
  tolerate(answered(400))
  const domain = 'slow-07.sentinel.test'
  const row = await startExport(page, domain)
  await expect(row.getByText('Completed', { exact: true })).toBeVisible()
  const { name, bytes } = await download(page, row)
  const folder = await mkdtemp(join(tmpdir(), 'docket-upload-'))
  const [good, bad] = [join(folder, name), join(folder, 'notes.tar.gz')]
  await writeFile(good, bytes)
  await writeFile(bad, 'This is no archive.')

  const dialog = await chooseFromNewExport(page, 'Upload a bundle')
  await dialog.getByLabel('File').setInputFiles(bad)
  await dialog.getByLabel('Domain').fill('uploaded.example.com')
  await dialog.getByLabel('Version').fill('7.1')
  await dialog.getByLabel('Make it portable').check()
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await expect(dialog.getByLabel('Version')).toHaveValue('7.1')
  await expect(dialog.getByLabel('Make it portable')).toBeChecked()
  await dialog.getByLabel('File').setInputFiles(good)
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'uploaded.example.com' })).toBeVisible()
  await expect(page.getByText('Docket made this site portable')).toBeVisible()
  await page.getByRole('link', { name: 'Exports' }).first().click()
  await chooseFromNewExport(page, 'Upload a bundle')
  await dialog.getByLabel('File').setInputFiles(good)
  await dialog.getByLabel('Domain').fill('uploaded.example.com')
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect(page.getByText(sha256(bytes), { exact: true })).toBeAttached()

  await page.goto('/settings/storage?sort=largest')
  await expect(page.getByRole('region', { name: 'Bundles' }).getByText('uploaded.example.com').first()).toBeVisible()
  await expectAccessible(page)
})
