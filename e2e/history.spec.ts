import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/docket.ts'
import { download, startExport } from '#e2e/support/story.ts'

test('the page of an export tells its history from the start to the download, and who did what', async ({ page }) => {
  const domain = 'slow-04.sentinel.test'
  const row = await startExport(page, domain)
  await row.getByRole('link', { name: domain, exact: true }).click()
  const history = page.getByRole('region', { name: 'History' })
  const steps = history.getByRole('listitem')
  await expect(steps.first()).toContainText(/Export requested\s*by Owner/)
  await expect(steps.filter({ hasText: 'Accepted by the service' })).toHaveCount(1)
  await expect(steps.filter({ hasText: 'Completed' })).toHaveCount(1)
  await download(page, page)
  await expect(steps.filter({ hasText: /Bundle downloaded\s*by Owner/ })).toHaveCount(1)
  const titles = (await steps.allInnerTexts()).join('\n')
  expect(titles).toMatch(/Export requested[^]*Accepted by the service[^]*Completed[^]*Bundle downloaded/)
  await expect(history.getByText(/Kept for \d+ days/)).toBeVisible()
  await expectAccessible(page)
})
