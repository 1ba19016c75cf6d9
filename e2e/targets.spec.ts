import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectAccessible } from '#e2e/support/axe.ts'
import { test as base, expect } from '#e2e/support/docket.ts'
import { packSite } from '#e2e/support/pack-site.ts'
import { plainService, type PlainService } from '#e2e/support/plain-service.ts'
import { startExport, untilSaved } from '#e2e/support/story.ts'

const test = base.extend<{ service: PlainService; folder: string }>({
  service: plainService,
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern.
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'docket-targets-'))
    await mkdir(join(folder, 'handbook'))
    await use(folder)
    await rm(folder, { recursive: true, force: true })
  },
  docketEnv: async ({ service, folder }, use) => {
    await use({ ADMIN_API_URL: service.url, ADMIN_API_KEY: service.key, TARGET_FOLDERS: folder })
  },
})

const domain = 'handbook.example.com'
const html = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Handbook</title><h1>Handbook</h1></html>'

test('a channel is delivered to a folder and verified, and its files stay when the target is removed', async ({
  page,
  service,
  folder,
  tolerate,
}) => {
  tolerate(({ text }) => /\/(target-tests|targets)\b.* 400|status of 400/.test(text))
  service.pack(await packSite({ 'index.html': html }))
  service.stand({ status: 'completed' })
  const row = await startExport(page, domain)
  await untilSaved(row)
  await row.getByRole('link', { name: domain, exact: true }).click()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sites' }).click()
  await page.getByRole('link', { name: domain }).first().click()
  await page.getByRole('link', { name: 'Delivery', exact: true }).click()

  const targets = page.getByRole('region', { name: 'Targets' })
  await targets.getByRole('button', { name: 'Add a target…' }).click()
  await dialog.getByLabel('Name').fill('Web server')
  await dialog.getByLabel('Folder', { exact: true }).fill('/etc/docs')
  await dialog.getByRole('button', { name: 'Add target' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await expect(dialog.getByLabel('Name')).toHaveValue('Web server')
  await expect(dialog.getByRole('textbox', { name: 'Folder' })).toBeFocused()
  await dialog.getByRole('textbox', { name: 'Folder' }).fill(join(folder, 'handbook'))
  await dialog.getByRole('button', { name: 'Test' }).click()
  await expect(dialog.getByText('Docket wrote a file there', { exact: false })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add target' }).click()

  await expect(targets.getByText('Nothing delivered yet')).toBeVisible()
  const choose = async (command: string) => {
    await targets.getByRole('button', { name: 'More for Web server' }).click()
    await page.getByRole('menuitem', { name: command }).click()
  }
  await choose('Dry run…')
  await expect(dialog.getByText('Added: 1 file')).toBeVisible()
  await dialog.getByRole('button', { name: 'Deliver now' }).click()
  await expect(targets.getByText('Has release 1')).toBeVisible()
  expect(await readFile(join(folder, 'handbook/current/index.html'), 'utf8')).toBe(html)
  await choose('Dry run…')
  await expect(dialog.getByText('Nothing would change')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).first().click()
  await choose('Verify')
  await expect(targets.getByText(/^Verified .*: every file is as delivered\.$/)).toBeVisible()
  await expectAccessible(page)

  await choose('Remove…')
  await dialog.getByRole('button', { name: 'Remove target' }).click()
  await expect(targets.getByText(/^A target is a place/)).toBeVisible()
  expect(await readFile(join(folder, 'handbook/current/index.html'), 'utf8')).toBe(html)
})
