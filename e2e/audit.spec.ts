import { readFileSync } from 'node:fs'
import { expect, test } from '#e2e/support/docket.ts'
import { addPerson, otherBrowser, signIn } from '#e2e/support/people.ts'
import { startExport } from '#e2e/support/story.ts'

test('an admin finds who started an export, filters the audit, and downloads it as a file @story', async ({ page }) => {
  await startExport(page, 'plan-refused.sentinel.test')
  await startExport(page, 'docs.localhost')
  await page.goto('/settings/audit')
  const events = page.getByRole('listitem')
  await expect(events.filter({ hasText: 'Asked to start an export of docs.localhost' }).first()).toContainText('Done')
  const refused = events.filter({ hasText: 'Asked to start an export of plan-refused.sentinel.test' })
  await expect(refused.first()).toContainText('Refused by the service')
  await page.getByLabel('Action').selectOption('Asked to start an export')
  await expect(events.filter({ hasText: 'Signed in' })).toHaveCount(0)
  await expect(page).toHaveURL(/\?action=static_export\.started$/)
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'CSV' }).click()])
  const lines = readFileSync(await file.path(), 'utf8')
    .trimEnd()
    .split('\r\n')
  expect(lines[0]).toMatch(/^at,actor_kind,/)
  expect(lines[1]).toContain('static_export.started,ok,static_export')
  await page.getByLabel('Outcome').selectOption('Refused by the service')
  await expect(events.filter({ hasText: 'docs.localhost' })).toHaveCount(0)
  await expect(refused.first()).toBeVisible()
  await page.goBack()
  await page.goBack()
  await expect(events.filter({ hasText: 'Signed in' }).first()).toBeVisible()
})

test('an admin verifies the audit, and the page shows up to which row it is intact', async ({ page }) => {
  await page.goto('/settings/audit')
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByTestId('announcements')).toHaveText(/The audit is whole|No row is sealed yet/)
  // The first rows of a new Docket are sealed within seconds.
  await expect(async () => {
    await page.getByRole('button', { name: 'Verify' }).click()
    await expect(page.getByText(/^\d+ sealed rows? (is|are) whole, up to row \d+/)).toBeVisible({ timeout: 5_000 })
  }).toPass()
  await expect(page.getByText('The audit is whole', { exact: true }).last()).toBeVisible()
})

test('an auditor can read and verify the audit but cannot start anything', async ({ docket, browser }) => {
  const context = await otherBrowser(browser)
  const page = await context.newPage()
  await page.goto('/settings/audit')
  await signIn(page, await addPerson(docket, 'auditor'))
  await expect(page.getByRole('listitem').filter({ hasText: 'Signed in' }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByTestId('announcements')).toHaveText(/The audit is whole|No row is sealed yet/)
  const settings = page.getByRole('navigation', { name: 'Settings' })
  await expect(settings.getByRole('link')).toHaveText(['Connections', 'Audit', 'About'])
  await page.goto('/exports')
  await expect(page.getByRole('button', { name: 'New export', exact: true })).toHaveAccessibleDescription(
    'Only operators and admins can do this. Ask an admin for access.',
  )
  await context.close()
})
