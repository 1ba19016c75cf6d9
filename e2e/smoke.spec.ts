import { expectNoAxeViolations } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/docket.ts'

test('the page opens with a title and a heading, and reports no error @story', async ({ page }) => {
  await page.goto('/')
  await expect(page).toHaveTitle(/Docket/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectNoAxeViolations(page)
})
