import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/docket.ts'
import { startExport } from '#e2e/support/story.ts'

test.use({ reducedMotion: 'reduce' })

test.describe(() => {
  test.use({ ownDocket: true })

  test('the settings tell the calls that were made, a 429, and what is held back because of it', async ({ page }) => {
    await startExport(page, 'rate-limited.sentinel.test')
    await page.goto('/connection')
    await expect(page).toHaveURL(/\/settings\/connection$/)
    const calls = page.getByRole('region', { name: 'Calls to the service' })
    await expect(page.getByText('Calls about exports are held back')).toBeVisible({ timeout: 30_000 })
    await expect(calls.getByText(/\d answers? 429 \(too many requests\) in the last 24 hours/)).toBeVisible()
    const spent = calls.getByRole('meter', { name: 'Calls of the last hour' })
    await expect.poll(async () => Number(await spent.getAttribute('aria-valuenow'))).toBeGreaterThan(1)
    await expect(calls.getByRole('row').last().getByRole('cell').last()).not.toHaveText('0')
    await expect(page.getByRole('region', { name: 'Next checks' }).getByRole('link')).toHaveText([
      'rate-limited.sentinel.test',
    ])
    await expect(page.getByRole('region', { name: 'Last answers' }).getByText('Start an export')).toBeVisible()
    await expectAccessible(page)
  })
})
