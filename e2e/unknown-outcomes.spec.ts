import type { Page } from '@playwright/test'
import { expect, test } from '#e2e/support/docket.ts'
import { expectAccessible } from '#e2e/support/axe.ts'
import { chooseFromMenu, expectMessage, exportRow, exportRows, serviceJobs, startExport } from '#e2e/support/story.ts'

test.use({ ownDocket: true })

const domain = 'lost-answer.sentinel.test'

/** Starts an export whose answer is lost, and opens the choice that follows. */
const loseAnswer = async (page: Page) => {
  const row = await startExport(page, domain)
  await expect(row.getByText('Unknown outcome', { exact: true })).toBeVisible()
  return row
}

const decide = async (page: Page) => {
  await exportRow(page, domain)
    .getByRole('button', { name: /^Decide/ })
    .click()
  return page.getByRole('dialog', { name: `Did the export of ${domain} start?` })
}

test('after a lost response, the user can forget the export with Undo, enter its job id, or start it again', async ({
  page,
  docket,
  tolerate,
}) => {
  // The wrong id is answered with a 404, which the browser writes to its console.
  tolerate(({ text }) => text.includes('status of 404'))
  const row = await loseAnswer(page)
  await (await decide(page)).getByRole('button', { name: 'Forget it' }).click()
  await expect(row).toHaveCount(0)
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click()
  await expect(row.getByText('Unknown outcome', { exact: true })).toBeVisible()
  const dialog = await decide(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(row.getByRole('button', { name: /^Decide/ })).toBeFocused()
  await page.reload()
  await expect(row.getByText('Unknown outcome', { exact: true })).toBeVisible()

  await decide(page)
  await dialog.getByLabel('Job ID').fill('not-the-id')
  await dialog.getByRole('button', { name: 'Attach this ID' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  // Nothing started again by itself.
  const [jobId, ...more] = await serviceJobs(docket, domain)
  expect(more).toEqual([])
  await dialog.getByLabel('Job ID').fill(jobId!)
  await dialog.getByRole('button', { name: 'Attach this ID' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(row.getByText('Completed', { exact: true })).toBeVisible()
  await expect(row.getByRole('link', { name: /^Download/ })).toBeVisible()
  expect(await serviceJobs(docket, domain)).toEqual([jobId])

  await loseAnswer(page)
  await (await decide(page)).getByRole('button', { name: 'Start again' }).click()
  await expect(dialog).toHaveCount(0)
  await page.goto('/exports')
  await expect(exportRows(page, domain).getByText('Started again', { exact: true })).toHaveCount(1)
  await expect(exportRows(page, domain).getByText('Unknown outcome', { exact: true })).toHaveCount(1)
  expect(await serviceJobs(docket, domain)).toHaveLength(3)
})

test('attention can be dismissed with Undo, a note stays on its row, and a retried export appears under the pointer', async ({
  page,
}) => {
  const row = await loseAnswer(page)
  const attention = page.getByRole('button', { name: /^Needs attention/ })
  await page.getByRole('button', { name: /^Filters/ }).click()
  await expect(attention).toHaveText(/1$/)
  await row.getByRole('link', { name: domain, exact: true }).click()
  await expect(page.getByText('It may be running')).toHaveCount(1)
  await expect(page.getByText('The service could not finish it')).toHaveCount(0)
  await chooseFromMenu(page, 'Dismiss')
  await expectMessage(page, `Dismissed ${domain}.`)
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByRole('textbox', { name: 'Note' }).fill('Ask the platform team\nbefore Friday')
  await page.getByRole('button', { name: 'Save note' }).click()
  await expect(page.getByRole('button', { name: 'Edit note' })).toBeVisible()
  await expectAccessible(page)

  const failed = await startExport(page, 'fails.sentinel.test')
  await expect(row.getByText('Ask the platform team', { exact: true })).toBeVisible()
  await expect(failed.getByText('Failed', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: /^Filters/ }).click()
  await expect(attention).toHaveText(/2$/)
  await chooseFromMenu(row, 'Dismiss')
  await expect(attention).toHaveText(/1$/)
  // The pointer rests on the list.
  await failed.getByRole('button', { name: /^Try again/ }).click()
  await expect(exportRows(page, 'fails.sentinel.test')).toHaveCount(2)
  await expect(page.getByRole('button', { name: /^Show 1 new/ })).toHaveCount(0)
})
