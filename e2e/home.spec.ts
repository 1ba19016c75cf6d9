import type { Page } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/docket.ts'
import { exportRow, expectMessage, siteRow, startExport } from '#e2e/support/story.ts'

test.use({ ownDocket: true })

const start = (page: Page) => page.getByRole('dialog', { name: 'New export' })

test('the home page says what is live and what is new, publishes in two clicks, and starts an export with two keys @story', async ({
  page,
}) => {
  await page.goto('/')
  // The form of an empty Docket is the page.
  await expect(page.getByRole('button', { name: 'New export' })).toHaveCount(0)
  await page.getByLabel('Domain', { exact: true }).fill('docs.localhost')
  await page.getByRole('button', { name: 'Start export' }).click()
  const row = siteRow(page, 'docs.localhost')
  await expect(row.getByRole('link', { name: /^Download/ })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Live' })).toHaveCount(0)
  await expectAccessible(page)

  // Once the bundle is stored, the first release waits in the menu.
  await expect(async () => {
    await row.getByRole('button', { name: /^More for/ }).click()
    await expect(row.getByRole('menuitem', { name: 'Publish…' })).toBeVisible({ timeout: 500 })
  }).toPass()
  await row.getByRole('menuitem', { name: 'Publish…' }).click()
  const publish = page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true })
  await publish.click()
  await expectMessage(page, 'Published. Readers see release 1.')
  await expect(page.getByRole('columnheader', { name: 'Live' })).toBeVisible()
  await expect(row.getByText('Release 1').last()).toBeVisible()
  await expect(row.getByText('live', { exact: true })).toBeVisible()

  const posted = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().endsWith('/api/static-exports'),
  )
  await page.keyboard.press('n')
  await expect(start(page).getByLabel('Domain')).toHaveValue('docs.localhost')
  await page.keyboard.press('Enter')
  expect((await posted).status()).toBe(201)
  await expectMessage(page, 'Exporting docs.localhost.')
  await expect(start(page)).toHaveCount(0)
})

test('trouble is a line with its next step, and ends when somebody dismisses it', async ({ page }) => {
  await expect((await startExport(page, 'fails.sentinel.test')).getByText('Failed', { exact: true })).toBeVisible()
  await page.goto('/')
  const attention = page.getByRole('region', { name: 'Needs attention' })
  const line = exportRow(page, 'fails.sentinel.test')
  await expect(attention.getByText('could not be rendered')).toBeVisible()
  await expect(line.getByRole('button', { name: /^Try again/ })).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 780 })
  await expectAccessible(page)
  await line.getByRole('button', { name: /^More for/ }).click()
  await line.getByRole('menuitem', { name: 'Dismiss' }).click()
  await expect(attention).toHaveCount(0)
})

test('the menu beside New export adds by job ID and uploads', async ({ page }) => {
  await startExport(page, 'docs.localhost')
  await page.goto('/')
  const others = page.getByRole('button', { name: 'Other ways to add an export' })
  for (const [item, title] of [
    ['Add by job ID…', 'Add by job ID'],
    ['Upload a bundle…', 'Upload a bundle'],
  ] as const) {
    await others.click()
    await page.getByRole('menuitem', { name: item }).click()
    await expect(page.getByRole('dialog', { name: title })).toBeVisible()
    await page.keyboard.press('Escape')
  }
  await page.getByRole('button', { name: 'New export', exact: true }).click()
  await expect(start(page)).toBeVisible()
  await expectAccessible(page)
})
