import type { Page } from '@playwright/test'
import { expect, test } from '#e2e/support/docket.ts'
import { exportRow, exportRows, serviceJobs, startExport } from '#e2e/support/story.ts'

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

test('after a lost answer a person decides: forget it and Undo, give its job id, or start it again', async ({
  page,
  docket,
  tolerate,
}) => {
  // The wrong id is answered with a 404, which the browser writes to its console.
  tolerate(({ text }) => text.includes('status of 404'))
  const row = await loseAnswer(page)
  await (await decide(page)).getByRole('button', { name: 'Forget it' }).click()
  await expect(row).toHaveCount(0)
  await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click()
  await expect(row.getByText('Unknown outcome', { exact: true })).toBeVisible()
  const dialog = await decide(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(row.getByRole('button', { name: /^Decide/ })).toBeFocused()
  await page.reload()
  await expect(row.getByText('Unknown outcome', { exact: true })).toBeVisible()

  await decide(page)
  await dialog.getByLabel('Job id').fill('not-the-id')
  await dialog.getByRole('button', { name: 'Attach this id' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  // Nothing started again by itself.
  const [jobId, ...more] = serviceJobs(docket, domain)
  expect(more).toEqual([])
  await dialog.getByLabel('Job id').fill(jobId!)
  await dialog.getByRole('button', { name: 'Attach this id' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(row.getByText('Completed', { exact: true })).toBeVisible()
  await expect(row.getByRole('link', { name: /^Download/ })).toBeVisible()
  expect(serviceJobs(docket, domain)).toEqual([jobId])

  await loseAnswer(page)
  await (await decide(page)).getByRole('button', { name: 'Start again' }).click()
  await expect(dialog).toHaveCount(0)
  await page.goto('/')
  await expect(exportRows(page, domain).getByText('Started again', { exact: true })).toHaveCount(1)
  await expect(exportRows(page, domain).getByText('Unknown outcome', { exact: true })).toHaveCount(1)
  expect(serviceJobs(docket, domain)).toHaveLength(3)
})
