import type { Page } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/docket.ts'
import { answered, createAgentJob, follow, jobCard, jobPageId, openFollowForm } from '#e2e/support/story.ts'

const box = (page: Page) => page.getByRole('textbox', { name: 'Jobs to add' })
const preview = (page: Page) => page.getByRole('list', { name: 'Understood as' })
const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)

const drop = async (page: Page, name: string, content: string) => {
  const dataTransfer = await page.evaluateHandle(
    ([file, text]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([text], file))
      return transfer
    },
    [name, content] as const,
  )
  await box(page).dispatchEvent('dragover', { dataTransfer })
  await box(page).dispatchEvent('drop', { dataTransfer })
}

test('a bare job id uses the selected project, and a pull request’s address opens the followed job that reports it', async ({
  page,
}) => {
  await openFollowForm(page)
  await box(page).fill('https://github.com/example/handbook/pull/4242')
  await expect(preview(page)).toContainText('job of github.com/example/handbook/pull/4242')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(preview(page)).toContainText('No job on the list reports this pull request')
  await expect(box(page)).toHaveValue('https://github.com/example/handbook/pull/4242')

  await box(page).fill('pull-request')
  const project = page.getByLabel('Project ID')
  await expect(project).toHaveValue('docs')
  await project.fill('sentinel')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(jobCard(page, 'pull-request')).toBeVisible()
  await expect(box(page)).toHaveValue('')

  await box(page).fill('https://github.com/Example/handbook/pull/42/files#diff')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(jobPageId(page, 'pull-request')).toBeVisible()
})

test('a dropped or chosen file is added to the typed text, unreadable lines show a reason, and an invalid file changes nothing @story', async ({
  page,
}) => {
  await openFollowForm(page)
  await box(page).fill('sentinel active')
  await drop(page, 'jobs.csv', '\ufefftitle;job id;project\n"One; two";failed;sentinel\nthree;;sentinel\n')
  await expect(box(page)).toHaveValue('sentinel active\nsentinel failed')
  await expect(page.getByRole('list', { name: 'Unreadable lines of jobs.csv' })).toHaveText(
    'three;;sentinelThe job ID is empty.',
  )
  await drop(page, 'too-many.txt', Array.from({ length: 51 }, (_, index) => `docs job-${index}`).join('\n'))
  await expect(page.getByRole('alert')).toHaveText('too-many.txt names 51 jobs; the maximum is 50. Split it.')
  await page.locator('input[type=file]').setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]),
  })
  await expect(page.getByRole('alert')).toContainText('logo.png is not a text file')
  await expect(box(page)).toHaveValue('sentinel active\nsentinel failed')
  await page.getByRole('button', { name: 'Add 2 jobs' }).click()
  await expect(jobCard(page, 'failed')).toBeVisible()
  await expect(jobCard(page, 'active')).toBeVisible()
  await expect(box(page)).toHaveValue('')
})

test('jobs can be chosen from the service’s list, even with the keyboard, and a lost job can be found there', async ({
  page,
  docket,
  tolerate,
}) => {
  tolerate(answered(404, 502))
  const [, first = ''] = (await createAgentJob(docket, 'Replace "nowhere" with "anything"\nFix typos')).split(' ')
  const [, second = ''] = (await createAgentJob(docket, 'Replace "elsewhere" with "anything"')).split(' ')
  await follow(page, `docs ${first}`)
  await expect(jobCard(page, first)).toBeVisible()
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('button', { name: 'Find jobs in a project' }).click()
  const dialog = page.getByRole('dialog', { name: 'Find jobs in a project' })
  await expect(dialog.getByLabel('Project ID')).toBeFocused()
  await expect(dialog.getByLabel('Project ID')).toHaveValue('docs')
  await page.keyboard.press('Enter')
  const rows = dialog.getByRole('list', { name: 'Jobs of docs' }).getByRole('listitem')
  await expect(rows.filter({ hasText: first }).getByRole('checkbox')).toBeChecked()
  await expect(rows.filter({ hasText: first }).getByRole('checkbox')).toBeDisabled()
  const row = rows.filter({ hasText: second })
  await expect(row).toContainText('Replace "elsewhere" with "anything"')
  await row.getByRole('checkbox').focus()
  await page.keyboard.press('Space')
  await expectAccessible(page)
  expect(await fits(page)).toBe(true)
  await dialog.getByRole('button', { name: 'Add 1 job' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(jobCard(page, second)).toBeVisible()

  // A project that the service does not know.
  await page.getByRole('button', { name: 'Find jobs in a project' }).click()
  await dialog.getByLabel('Project ID').fill('no-such-project')
  await dialog.getByRole('button', { name: 'Show jobs' }).click()
  await expect(dialog.getByRole('alert')).toContainText('has no project with this ID')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  await page.getByRole('button', { name: 'New agent job' }).first().click()
  const asking = page.getByRole('dialog', { name: 'New agent job' })
  await asking.getByLabel('Project ID').fill('sentinel')
  await asking.getByLabel('Prompt').fill('lost-answer')
  await asking.getByRole('button', { name: 'Create job' }).click()
  await expect(asking).toHaveCount(0)
  const request = page.getByRole('listitem', { name: 'Request for a job of sentinel' })
  await request.getByRole('button', { name: /^Decide/ }).click()
  const decision = page.getByRole('dialog', { name: 'Was the job of sentinel created?' })
  await decision.getByRole('button', { name: 'Find it in the project' }).click()
  await expectAccessible(page)
  expect(await fits(page)).toBe(true)
  await decision.getByRole('button', { name: 'Attach Reserved job archived' }).click()
  await expect(decision).toHaveCount(0)
  await expect(request).toHaveCount(0)
  // Another test may have followed it long before, so that its row is far below.
  await page.goto('/agent-jobs?q=archived')
  await expect(jobCard(page, 'archived')).toBeVisible()
})
