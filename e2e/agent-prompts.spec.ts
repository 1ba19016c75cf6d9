import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { runSql } from '#e2e/support/database.ts'
import { expect, test } from '#e2e/support/docket.ts'
import type { Docket } from '#e2e/support/docket-server.ts'
import { addPerson, otherBrowser, signIn } from '#e2e/support/people.ts'
import { answered, expectMessage, follow, jobCard, openJob } from '#e2e/support/story.ts'

const newJob = (page: Page) => page.getByRole('button', { name: 'New agent job' })
const findDialog = (page: Page) => page.getByRole('dialog', { name: 'New agent job' })

const ask = async (dialog: Locator, projectId: string, prompt: string) => {
  await dialog.getByLabel('Project ID').fill(projectId)
  await dialog.getByLabel('Prompt').fill(prompt)
  await dialog.getByRole('button', { name: 'Create job' }).click()
}

/** Jobs that the local service has really created. */
const jobsCreated = async (docket: Docket) => (await runSql(docket, 'select 1 from embedded_service.agent_jobs')).length

/** Number of requests to the service for a job. */
const countRequests = async (page: Page) => {
  // In the page: Node may not know names under localhost.
  const audit = await page.evaluate(
    async () => (await (await fetch('/api/audit')).json()) as { items: { action: string }[] },
  )
  return audit.items.filter(({ action }) => action === 'agent_job.requested').length
}

const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)

test('a requested job becomes a pull request and takes a follow-up; double clicks and reloads send nothing twice @story', async ({
  page,
  docket,
  browser,
}) => {
  const before = await jobsCreated(docket)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/agent-jobs')
  await newJob(page).first().click()
  const dialog = findDialog(page)
  const prompt = dialog.getByLabel('Prompt')
  await expect(prompt).toBeFocused()
  await dialog.getByRole('button', { name: 'Create job' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Say what the agent should do.')
  await prompt.fill('Replace "Docket"\nwith \u0007 something')
  await prompt.press('Control+Enter')
  await expect(dialog.getByRole('alert')).toContainText('Line 2 contains a control character')
  await expectAccessible(page)
  expect(await fits(page)).toBe(true)
  await page.reload()
  await expect(prompt).toHaveValue('Replace "Docket"\nwith \u0007 something')
  await prompt.fill('Wait 2 s\nReplace "Docket" with "The Docket console"')
  await dialog.getByRole('button', { name: 'Create job' }).dblclick()
  await expect(dialog).toHaveCount(0)
  const card = page.getByRole('article').first()
  await expect(card.getByText('Working', { exact: true })).toBeVisible()
  expect(await jobsCreated(docket)).toBe(before + 1)
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Open' }).click()

  const prompts = page.getByRole('region', { name: 'Conversation' })
  await expect(prompts).toBeVisible()
  const next = page.getByRole('region', { name: 'Next step' })
  await expect(next.getByText('Ready for review', { exact: true })).toBeVisible()
  const followUp = prompts.getByLabel('Send follow-up')
  await followUp.fill('Wait 2 s\nFix links')
  await prompts.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(next.getByText('Working', { exact: true })).toBeVisible()
  await expectMessage(page, 'Sent the follow-up.')
  await expect(followUp).toHaveCount(0)
  await expect(page.getByText('Active again')).toBeVisible()
  await expect(next.getByText('Ready for review', { exact: true })).toBeVisible()
  await expect(followUp).toHaveValue('')
  await expect(prompts.getByRole('listitem')).toHaveText([
    /Wait 2 s\s+Replace "Docket"[^]*Opened a pull request/,
    /Wait 2 s\s+Fix links[^]*Ready for review/,
  ])
  await expectAccessible(page)
  expect(await fits(page)).toBe(true)
  expect(await jobsCreated(docket)).toBe(before + 1)

  const viewer = await otherBrowser(browser)
  const theirs = await viewer.newPage()
  await theirs.goto(page.url())
  await signIn(theirs, await addPerson(docket, 'viewer'))
  const reason = 'Only operators and admins can do this. Ask an admin for access.'
  await expect(theirs.getByRole('button', { name: 'Send follow-up' })).toHaveAccessibleDescription(reason)
  await theirs.getByRole('link', { name: '← Agent jobs' }).click()
  await expect(newJob(theirs)).toHaveAccessibleDescription(reason)
  // Playwright would wait for it to be enabled.
  await newJob(theirs).click({ force: true })
  await expect(theirs.locator('[popover]').getByText(reason)).toBeVisible()
  await expect(findDialog(theirs)).toHaveCount(0)
  await viewer.close()
})

test('a refused prompt stays in the form, and the user decides about one without a response', async ({
  page,
  tolerate,
}) => {
  tolerate(answered(404))
  await page.goto('/agent-jobs')
  await newJob(page).first().click()
  const dialog = findDialog(page)
  await ask(dialog, 'sentinel', 'not-allowed')
  await expect(dialog.getByRole('alert')).toContainText('The key may belong to another organization, be read-only')
  await expect(dialog.getByLabel('Prompt')).toHaveValue('not-allowed')
  const requests = await countRequests(page)
  await ask(dialog, 'sentinel', 'lost-answer')
  await expect(dialog).toHaveCount(0)
  await page.reload()
  const request = page.getByRole('listitem', { name: 'Request for a job of sentinel' })
  await expect(request.getByText('Unknown outcome', { exact: true })).toBeVisible()
  expect(await countRequests(page)).toBe(requests + 1)
  const decide = async () => {
    await request.getByRole('button', { name: /^Decide/ }).click()
    return page.getByRole('dialog', { name: 'Was the job of sentinel created?' })
  }
  let choice = await decide()
  await choice.getByRole('button', { name: 'Forget it' }).click()
  await expect(request).toHaveCount(0)
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click()
  choice = await decide()
  await choice.getByRole('button', { name: 'Create it again' }).click()
  // Its answer is lost too, and it took the place of the first.
  await expect.poll(() => countRequests(page)).toBe(requests + 2)
  await expect(request).toHaveCount(1)
  choice = await decide()
  await choice.getByLabel('Job ID').fill('not-the-id')
  await choice.getByRole('button', { name: 'Attach this ID' }).click()
  await expect(choice.getByRole('alert')).toContainText('finds no agent job with this ID')
  await expectAccessible(page)
  await choice.getByLabel('Job ID').fill('pull-request')
  await choice.getByRole('button', { name: 'Attach this ID' }).click()
  await expect(request).toHaveCount(0)
  await expect(jobCard(page, 'pull-request').getByText('Ready for review', { exact: true })).toBeVisible()
})

test.describe(() => {
  test.use({ docketEnv: { LOCAL_ADMIN_API_STRICT: 'true' } })

  test('with a service that only offers the documented calls, the page offers no way to create jobs or send prompts', async ({
    page,
  }) => {
    await page.goto('/agent-jobs')
    await expect(page.getByText('Add one above.')).toBeVisible()
    await expect(newJob(page)).toHaveCount(0)
    await follow(page, 'sentinel pull-request')
    await openJob(page, 'pull-request')
    await expect(page.getByRole('heading', { name: 'History' })).toBeVisible()
    await expect(page.getByLabel('Send follow-up')).toHaveCount(0)
    await expect(page.getByText(/Follow-up|Conversation/)).toHaveCount(0)
  })
})

test('a filled-in saved prompt runs exactly once on each chosen project, and only for users with the right', async ({
  page,
  docket,
  browser,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/agent-jobs')
  await expect(newJob(page).first()).toBeVisible()
  expect(await fits(page)).toBe(true)
  await newJob(page).first().click()
  await findDialog(page).getByRole('link', { name: 'Saved prompts' }).click()
  await page.getByRole('button', { name: 'New prompt' }).first().click()
  const editor = page.getByRole('dialog', { name: 'New saved prompt' })
  await editor.getByLabel('Title').fill('Rename a thing')
  await editor.getByLabel('Prompt').fill('{{command}}')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(editor).toHaveCount(0)

  await page.getByRole('button', { name: 'Use Rename a thing' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename a thing' })
  await dialog.getByRole('button', { name: 'Create job' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(['Fill this in.'])
  const command = dialog.getByLabel('command')
  await expect(command).toBeFocused()
  await command.fill('Replace "Docket" with "Our Docket"')
  await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText('with "Our Docket"')
  await dialog.getByLabel('Another project ID').fill('no-such-project')
  await dialog.getByLabel('Another project ID').press('Enter')
  // The only known project is chosen already.
  await expect(dialog.getByRole('checkbox', { name: 'docs' })).toBeChecked()
  await expectAccessible(page)
  expect(await fits(page)).toBe(true)
  const before = await jobsCreated(docket)
  await dialog.getByRole('button', { name: 'Create 2 jobs' }).dblclick()
  const results = dialog.getByRole('list', { name: 'Results' }).getByRole('listitem')
  await expect(results).toHaveText([/^docsJob created/, /^no-such-projectNot created/])
  expect(await jobsCreated(docket)).toBe(before + 1)
  await expect(dialog.getByRole('checkbox', { name: 'docs' })).not.toBeChecked()
  await expect(dialog.getByRole('checkbox', { name: 'no-such-project' })).toBeChecked()
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  const operator = await addPerson(docket, 'operator')
  await page.goto('/settings/people')
  await page.getByRole('button', { name: `More for ${operator.name}` }).click()
  await page.getByRole('menuitem', { name: 'Don’t allow prompts to agents' }).click()
  await expect(page.getByText('No prompts', { exact: true })).toBeVisible()
  const theirs = await (await otherBrowser(browser)).newPage()
  await theirs.goto(`${docket.url}/agent-jobs/prompts`)
  await signIn(theirs, operator)
  const reason = 'You may not send prompts to agents. Ask an admin to allow it.'
  await expect(theirs.getByRole('button', { name: 'Use Rename a thing' })).toHaveAccessibleDescription(reason)
  await expect(theirs.getByRole('button', { name: 'New prompt' })).toHaveAccessibleDescription(reason)
  await theirs.getByRole('link', { name: 'Jobs', exact: true }).click()
  await newJob(theirs).first().click()
  await expect(findDialog(theirs).getByText(reason)).toBeVisible()
  await expect(findDialog(theirs).getByRole('radio', { name: /^Replace/ })).toBeVisible()
  await theirs.context().close()
})
