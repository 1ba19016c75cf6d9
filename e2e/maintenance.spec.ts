import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/docket.ts'
import { answered } from '#e2e/support/story.ts'

test.use({ docketEnv: { NO_AGENT: 'true' } })

test('without an agent, the dialog offers maintenance instead, and a previewed order becomes a pull request', async ({
  page,
  tolerate,
}) => {
  tolerate(answered(400, 409))
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/agent-jobs')
  await page.getByRole('button', { name: 'New agent job' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New agent job' })
  await expect(dialog.getByText(/^No agent is configured/)).toBeVisible()
  await expect(dialog.getByLabel('Prompt')).toHaveCount(0)
  const press = (name: string) => dialog.getByRole('button', { name }).click()

  await dialog.getByRole('radio', { name: /^Replace/ }).check()
  await press('Preview')
  await expect(dialog.getByRole('alert')).toHaveText('Enter the text to replace.')
  await expect(dialog.getByLabel('Find')).toBeFocused()
  await dialog.getByLabel('Find').fill('"Docket"')
  await dialog.getByLabel('Folder').fill('nowhere')
  await press('Preview')
  await expect(dialog.getByRole('alert')).toContainText('There is no folder “nowhere” with pages in this project.')
  await expectAccessible(page)
  await page.reload()
  await expect(dialog.getByLabel('Find')).toHaveValue('"Docket"')

  await dialog.getByLabel('Find').fill('Docket')
  await dialog.getByLabel('Replace with').fill('The console')
  await dialog.getByLabel('Folder').fill('reference')
  await dialog.getByLabel('Limit').fill('1')
  await dialog.getByRole('checkbox', { name: 'Match case' }).check()
  await press('Preview')
  const preview = dialog.getByRole('status')
  await expect(preview).toContainText(/Replaced “Docket” with “The console” \d+ times? in 1 page\./)
  await expect(preview).toContainText('Stopped at the limit of 1')
  await expect(preview.getByRole('list', { name: 'Would change' })).toContainText('reference/limits.md')
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  // Other fields are another order.
  await dialog.getByLabel('Limit').fill('2')
  await expect(preview).toHaveCount(0)
  await press('Preview')
  await expect(preview).toContainText('in 2 pages')
  await dialog.getByRole('button', { name: 'Start job' }).dblclick()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByText('Ready for review', { exact: true })).toBeVisible()
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Open' }).click()
  const sent = 'Replace “Docket” with “The console” (same case) in reference, at most 2 pages'
  await expect(page.getByText(sent).first()).toBeVisible()
})
