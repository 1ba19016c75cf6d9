import type { Locator, Request } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/docket.ts'
import {
  answered,
  chooseFromMenu,
  readLocalService,
  createAgentJob,
  follow,
  jobCard,
  expectMessage,
  openFollowForm,
  openJob,
  requestAgentJob,
} from '#e2e/support/story.ts'

const parseId = (line: string) => line.split(' ')[1] ?? ''

test('an agent job is followed from its creation to a pull request, which is merged on its page', async ({
  page,
  docket,
}) => {
  const line = await createAgentJob(docket, 'Wait 8 s\nReplace "Docket" with "The Docket console"')
  await follow(page, line)
  const card = jobCard(page, parseId(line))
  await expect(card.getByText('Working', { exact: true })).toBeVisible()
  await expect(card.getByText('Ready for review', { exact: true })).toBeVisible()
  await expect(page.locator(`a[href^="${readLocalService(docket)}"]`)).toHaveCount(0)
  // A page of Docket itself, in the same tab.
  await card.getByRole('link', { name: /docs\s*#\d+/ }).click()
  await expect(page).toHaveURL(/\/code\/docs\/pulls\/\d+$/)
  const file = page.getByRole('region', { name: /^quickstart/ })
  const changed = file.getByRole('row').filter({ hasText: 'Added: ' }).first()
  await expect(changed).toContainText('The Docket console')
  await page.getByRole('button', { name: 'Side by side' }).click()
  await page.reload()
  await expect(file.getByRole('row').filter({ hasText: 'Removed: ' }).first()).toContainText('The Docket console')
  await file.getByRole('button', { name: /^quickstart/ }).click()
  await expect(file.getByRole('row')).toHaveCount(0)

  await page.getByRole('button', { name: 'Merge', exact: true }).click()
  const question = page.getByRole('dialog')
  await expect(question).toContainText('main')
  await question.getByRole('button', { name: 'Merge', exact: true }).click()
  await expect(page.getByRole('region', { name: 'State', exact: true })).toContainText('Merged into main')
  await page.goto('/settings/audit')
  const merged = page.getByRole('listitem').filter({ hasText: 'Merged a pull request' })
  await expect(merged).toContainText(/docs#\d+/)
})

test('every supported way of naming a job is understood, and a pasted key is sent and stored nowhere @story', async ({
  page,
  docket,
}) => {
  const key = 'docket_pasted-by-mistake-0123456789'
  const requests: string[] = []
  page.on('request', (request: Request) => {
    requests.push(request.url(), request.postData() ?? '', JSON.stringify(request.headers()))
  })
  const lines: string[] = []
  for (const text of ['One', 'Two', 'Three', 'Four', 'Five'])
    lines.push(await createAgentJob(docket, `Replace "no such text ${text}" with "anything"`))
  const ids = lines.map(parseId)
  const forms = [
    lines[0]!,
    `/v2/agent/docs/job/${ids[1]}`,
    `https://api.example.com/v2/agent/docs/job/${ids[2]}?from=mail`,
    `curl -H "Authorization: Bearer ${key}" https://api.example.com/v2/agent/docs/job/${ids[3]}`,
    JSON.stringify({ id: ids[4], status: 'active' }),
  ]
  await openFollowForm(page)
  for (const [index, form] of forms.entries()) {
    const box = page.getByRole('textbox', { name: 'Jobs to add' })
    await box.fill(form)
    const jobList = page.getByRole('list', { name: 'Understood as' })
    await expect(jobList).toContainText(ids[index]!)
    await expect(jobList).not.toContainText(key)
    expect(await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))).not.toContain(key)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(jobCard(page, ids[index]!)).toBeVisible()
    await expect(box).toHaveValue('')
  }
  expect(requests.length).toBeGreaterThan(forms.length)
  expect(requests.join('\n')).not.toContain(key)
})

test('a job is shown as changing nothing only if its report states that', async ({ page, docket }) => {
  const line = await createAgentJob(docket, 'Replace "text that is nowhere" with "anything"')
  await follow(page, line)
  const card = jobCard(page, parseId(line))
  await expect(card.getByText('Nothing to change', { exact: true })).toBeVisible()
  await expect(card.getByRole('link', { name: /#\d/ })).toHaveCount(0)
  await follow(page, 'sentinel no-pull-request')
  const old = jobCard(page, 'no-pull-request')
  await expect(old.getByText('No pull request reported', { exact: true })).toBeVisible()
  await expect(old.getByTitle(/finished without reporting a pull request/)).toBeVisible()
})

test('cards and pages show the history of a job in every state', async ({ page, tolerate }) => {
  // A reserved job has a size, but no changes.
  tolerate(answered(404))
  const ids = ['waiting', 'working', 'reviewed', 'merged', 'closed', 'nothing-to-change', 'cancelled', 'long-reason']
  // High enough for all of them: a long list draws only the rows in view, and other tests follow jobs, too.
  await page.setViewportSize({ width: 1280, height: 2400 })
  await follow(page, ids.map((id) => `sentinel ${id}`).join('\n'))
  const tells = (id: string, ...texts: (string | RegExp)[]) =>
    Promise.all(texts.map((text) => expect(jobCard(page, id).getByText(text).first()).toBeVisible()))
  await tells('waiting', 'Fix the links of the guide', 'Waiting', /^3rd in line/)
  await tells('working', 'Translate the quickstart', 'Working', 'Reading guide/quickstart.md')
  await tells('reviewed', 'Describe the new retry limits', 'Ready for review')
  await tells('merged', 'Merged')
  await tells('closed', 'Closed')
  await tells('nothing-to-change', 'Fix typos', /^Nothing to change/)
  await tells('cancelled', 'Rewrite everything', 'Cancelled')
  await tells('long-reason', 'Check the examples', 'Failed', /ended with exit code 1/)
  await expect(jobCard(page, 'merged').getByRole('link', { name: /handbook#42 merged/ })).toBeVisible()
  await page.getByRole('button', { name: /^Filters/ }).click()
  await expect(page.getByRole('button', { name: /^Needs attention/ })).toBeVisible()

  await openJob(page, 'working')
  await expect(page).toHaveTitle('Translate the quickstart · Docket')
  await expect(page.getByRole('region', { name: 'Log of the agent' })).toContainText('Reading guide/quickstart.md')
  await expect(page.getByText('48,210 in, 3,150 out')).toBeVisible()
  await expectAccessible(page)
  await page.goto('/agent-jobs/sentinel/long-reason')
  await expect(page.getByText(/page-120\.md: the example does not compile/).first()).toBeVisible()
  const next = page.getByRole('region', { name: 'Next step' })
  await expect(next.getByRole('button', { name: 'Retry' })).toHaveAccessibleDescription(/prompt/)
  await page.goto('/agent-jobs/sentinel/reviewed')
  await expect(next.getByRole('link', { name: /^Review pull request #42/ })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Pull request' })).toContainText('Passing')
  await expect(page.getByText(/31 lines added, −7 removed in 2 files/).first()).toBeVisible()
  await expect(page.getByText('The old limit of 5 is still named in the changelog.')).toBeVisible()
  await page.setViewportSize({ width: 360, height: 740 })
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
})

test('a working job is cancelled after a confirmation, a waiting one at once, and both can be retried', async ({
  page,
  docket,
}) => {
  const working = await requestAgentJob(docket, 'Wait 60 s')
  const second = jobCard(page, await requestAgentJob(docket, 'Wait 61 s'))
  await page.goto('/agent-jobs')
  await expect(second.getByText('Waiting', { exact: true })).toBeVisible()
  await expect(second.getByText(/^next in line/)).toBeVisible()
  await chooseFromMenu(second, 'Cancel job')
  await expect(second.getByText('Cancelled', { exact: true })).toBeVisible()

  await openJob(page, working)
  const next = page.getByRole('region', { name: 'Next step' })
  await expect(next.getByText('Working', { exact: true })).toBeVisible()
  await next.getByRole('button', { name: 'Cancel job' }).click()
  const question = page.getByRole('dialog', { name: 'Cancel this job?' })
  await question.getByRole('button', { name: 'Keep working' }).click()
  await expect(question).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: 'Cancel this job' }).click()
  await question.getByRole('button', { name: 'Cancel work' }).click()
  await expect(next.getByText('Cancelled', { exact: true })).toBeVisible()
  await next.getByRole('button', { name: 'Retry' }).click()
  await expect(next.getByText('Working', { exact: true })).toBeVisible()
  await next.getByRole('button', { name: 'Cancel job' }).click()
  await question.getByRole('button', { name: 'Cancel work' }).click()
  await expect(next.getByText('Cancelled', { exact: true })).toBeVisible()
})

test('several jobs are followed at once, and lines that fail stay in the text box with their reasons', async ({
  page,
}) => {
  await follow(page, 'sentinel archived\nsentinel no-such-job\nsentinel merge-request\nwhat is this')
  const box = page.getByRole('textbox', { name: 'Jobs to add' })
  await expect(box).toHaveValue('sentinel no-such-job\nwhat is this')
  const jobList = page.getByRole('list', { name: 'Understood as' })
  await expect(jobList.getByRole('listitem').filter({ hasText: 'no-such-job' })).toContainText('no such job')
  await expect(jobList.getByRole('listitem').filter({ hasText: 'what is this' })).toContainText(
    'Docket can’t read this line',
  )
  await expectMessage(page, 'Added 2 jobs.')
  const archived = jobCard(page, 'archived')
  await expect(archived.getByText('Archived', { exact: true }).first()).toBeVisible()
  await expect(jobCard(page, 'merge-request').getByRole('link', { name: /handbook\s*[!#]7/ })).toHaveAttribute(
    'href',
    'https://gitlab.com/example/team/handbook/-/merge_requests/7',
  )
})

test('a row shows unsafe links as text, unknown statuses unchanged and missing facts as missing, and can be checked at once', async ({
  page,
}) => {
  await follow(page, ['unsafe-links', 'unknown-status', 'nulls', 'active'].map((id) => `sentinel ${id}`).join('\n'))
  const strange = jobCard(page, 'unknown-status')
  await expect(strange.getByText('waiting_for_review').first()).toBeVisible()
  await expect(strange.getByTitle(/keeps watching/)).toBeVisible()
  await expect(strange.getByText(/next in|checking now/)).toBeVisible()

  const bare = jobCard(page, 'nulls')
  await expect(bare.getByText('Working', { exact: true })).toBeVisible()
  await expect(bare.getByRole('link')).toHaveCount(1)

  await chooseFromMenu(jobCard(page, 'active'), 'Check now')
  await expect(jobCard(page, 'active').getByText(/checked .*(just now|now|\d+ s ago)/)).toBeVisible()

  const unsafe = jobCard(page, 'unsafe-links')
  const countForeignLinks = (scope: Locator) => scope.locator('a:not([href^="/"])').evaluateAll((links) => links.length)
  await expect(unsafe.getByText(/javascript:alert/)).toBeVisible()
  expect(await countForeignLinks(unsafe)).toBe(0)
  await openJob(page, 'unsafe-links')
  await expect(page.getByText('Not a safe link:')).toBeVisible()
  expect(await countForeignLinks(page.getByRole('main'))).toBe(0)
})

test('a job that the service no longer knows keeps its last snapshot, and Undo restores an unfollowed job', async ({
  page,
}) => {
  await follow(page, 'sentinel vanishes-1\nsentinel pull-request')
  const gone = jobCard(page, 'vanishes-1')
  await expect(gone.getByText('Not found on service', { exact: true })).toBeVisible()
  await expect(gone.getByTitle(/example\/handbook/)).toBeVisible()

  const card = jobCard(page, 'pull-request')
  await expect(card.getByText('Ready for review', { exact: true })).toBeVisible()
  await chooseFromMenu(card, 'Remove from list')
  await expect(card).toHaveCount(0)
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click()
  await expect(card.getByText('Ready for review', { exact: true })).toBeVisible()
  await page.reload()
  await expect(card.getByText('Ready for review', { exact: true })).toBeVisible()
})
