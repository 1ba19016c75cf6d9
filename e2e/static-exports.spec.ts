import { expect, test } from '#e2e/support/docket.ts'
import {
  readAdminKey,
  answered,
  askForExport,
  chooseFromNewExport,
  chooseFromMenu,
  readLocalService,
  domainField,
  exportRow,
  exportRows,
  expectMessage,
  openStartForm,
  progressBeyond,
  serviceJobs,
  siteRow,
  startExport,
} from '#e2e/support/story.ts'

// Every test exports a domain of its own: the Docket is shared. `slow-<seconds>` may be written with leading zeros.

// Longer than anybody needs to look at it, however busy the machine is; nobody waits for its end.
test('the progress bar of a running export rises, and a reload and a second tab show the same export @story', async ({
  page,
  context,
  docket,
}) => {
  const domain = 'slow-180.sentinel.test'
  const row = await startExport(page, domain)
  await expect(row.getByRole('progressbar', { name: `Progress of ${domain}` })).toBeVisible()
  const first = await progressBeyond(row, 0)
  const second = await progressBeyond(row, first)
  await expect(row.getByText(/\b\d+\spages?\b/)).toBeVisible()
  await page.reload()
  expect(await progressBeyond(row, 0)).toBeGreaterThanOrEqual(second)
  const tab = await context.newPage()
  await tab.goto('/')
  expect(await progressBeyond(siteRow(tab, domain), 0)).toBeGreaterThanOrEqual(second)
  await expect(exportRows(page, domain)).toHaveCount(1)
  expect(await serviceJobs(docket, domain)).toHaveLength(1)
})

test('a failed export shows the service’s reason on its row and on its page', async ({ page }) => {
  const row = await startExport(page, 'fails.sentinel.test')
  const reason = 'The page "reference/limits" could not be rendered'
  await expect(row.getByText('Failed', { exact: true })).toBeVisible()
  await expect(row.getByText(reason)).toBeVisible()
  await expect(row.getByRole('button', { name: /^Try again/ })).toBeVisible()
  await expect(row.getByRole('link', { name: /^Download/ })).toHaveCount(0)
  await row.getByRole('link', { name: 'fails.sentinel.test', exact: true }).click()
  await expect(page.getByText('The service could not finish it')).toBeVisible()
  await expect(page.getByText(reason).first()).toBeVisible()
})

test('a plan without exports is reported in the service’s words', async ({ page, docket }) => {
  const row = await startExport(page, 'plan-refused.sentinel.test')
  await expect(row.getByText('Refused', { exact: true })).toBeVisible()
  await expect(
    row.getByText('Static export is not enabled for your organization. It requires an Enterprise plan.', {
      exact: true,
    }),
  ).toBeVisible()
  await page.reload()
  await expect(row.getByText('Refused', { exact: true })).toBeVisible()
  expect(await serviceJobs(docket, 'plan-refused.sentinel.test')).toEqual([])
})

test('a double click on the start button starts one export, and so does pressing Enter repeatedly @story', async ({
  page,
  docket,
}) => {
  const [clicked, mashed] = ['slow-2.sentinel.test', 'slow-02.sentinel.test'] as const
  await page.goto('/exports')
  await (await openStartForm(page)).fill(clicked)
  await page.getByRole('button', { name: 'Start export' }).dblclick()
  await expect(exportRow(page, clicked).getByText('Completed', { exact: true })).toBeVisible()
  await (await openStartForm(page)).fill(mashed)
  await domainField(page).focus()
  for (let times = 0; times < 8; times += 1) await page.keyboard.press('Enter')
  for (const domain of [clicked, mashed]) {
    await expect(exportRow(page, domain).getByText('Completed', { exact: true })).toBeVisible()
    await expect(exportRow(page, domain).getByRole('progressbar')).toHaveCount(0)
    await expect(exportRows(page, domain)).toHaveCount(1)
    expect(await serviceJobs(docket, domain)).toHaveLength(1)
  }
})

test('a second export of a domain that is being exported starts only after confirmation', async ({
  page,
  docket,
  tolerate,
}) => {
  tolerate(answered(409))
  const domain = 'slow-181.sentinel.test'
  const row = await startExport(page, domain)
  await expect(row.getByRole('progressbar')).toBeVisible()
  await askForExport(page, domain)
  const dialog = page.getByRole('dialog', { name: 'Already running' })
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  expect(await serviceJobs(docket, domain)).toHaveLength(1)

  await page.getByRole('button', { name: 'Start export' }).click()
  await dialog.getByRole('button', { name: 'Open the running one' }).click()
  await expect(page).toHaveURL(/\/exports\/[0-9a-f-]{36}$/)
  await page.goBack()

  await expect(await openStartForm(page)).toHaveValue(domain)
  await page.getByRole('button', { name: 'Start export' }).click()
  await dialog.getByRole('button', { name: 'Start another anyway' }).click()
  await expect(exportRows(page, domain)).toHaveCount(2)
  expect(await serviceJobs(docket, domain)).toHaveLength(2)
})

test('an export started elsewhere is tracked by its job id, and a wrong id shows an error and keeps what was typed', async ({
  page,
  docket,
  tolerate,
}) => {
  tolerate(answered(404))
  const domain = 'slow-1.sentinel.test'
  const started = await fetch(`${readLocalService(docket)}/v1/static-export/jobs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${readAdminKey(docket)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ domain }),
  })
  const { jobId } = (await started.json()) as { jobId: string }
  await page.goto('/exports')
  const dialog = await chooseFromNewExport(page, 'Add by job ID')
  await dialog.getByLabel('Job ID').fill('no-such-job')
  await dialog.getByLabel('Domain').fill(domain)
  await dialog.getByRole('button', { name: 'Add export' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await expect(dialog.getByLabel('Domain')).toHaveValue(domain)
  await dialog.getByLabel('Job ID').fill(jobId)
  await dialog.getByRole('button', { name: 'Add export' }).click()
  await expect(dialog).toHaveCount(0)
  const row = exportRow(page, domain)
  await expect(row.getByText('Completed', { exact: true })).toBeVisible()
  await expect(row.getByText(/added/)).toBeVisible()
})

test('typed text survives an error and a reload @story', async ({ page, tolerate }) => {
  tolerate(answered(400))
  await page.goto('/exports')
  await openStartForm(page)
  await page.getByRole('button', { name: 'Advanced' }).click()
  await page.getByLabel(/^Version/).fill('v2')
  await page.getByLabel(/^Paths/).fill('quickstart\nexports/start')
  await askForExport(page, '*.example.com')
  await expect(page.getByText(/A wildcard names many sites/)).toBeVisible()
  const typed = async () => {
    await expect(domainField(page)).toHaveValue('*.example.com')
    await expect(page.getByLabel(/^Version/)).toHaveValue('v2')
    await expect(page.getByLabel(/^Paths/)).toHaveValue('quickstart\nexports/start')
  }
  await typed()
  await page.reload()
  await openStartForm(page)
  await typed()
})

test('the page names the parts removed from a pasted address', async ({ page }) => {
  await page.goto('/exports')
  await askForExport(page, ' https://slow-01.sentinel.test:8443/guide/?tab=1 ')
  await expectMessage(page, 'Removed https://, the port 8443, the path /guide/ and the query.')
  await expect(exportRow(page, 'slow-01.sentinel.test')).toBeVisible()
})

test('only the requested pages are exported, and a missing page is refused by name', async ({ page }) => {
  const domain = 'slow-001.sentinel.test'
  await page.goto('/exports')
  await openStartForm(page)
  await page.getByRole('button', { name: 'Advanced' }).click()
  await page.getByLabel(/^Version/).fill('v2')
  await page.getByLabel(/^Paths/).fill('quickstart\n')
  await askForExport(page, domain)
  const row = exportRow(page, domain)
  await expect(row.getByText('Completed', { exact: true })).toBeVisible()
  await expect(row.getByText(/^1\spage\b/)).toBeVisible()
  await expect(row.getByText('v2 · quickstart')).toBeVisible()
  await openStartForm(page)
  await page.getByRole('button', { name: 'Advanced' }).click()
  await page.getByLabel(/^Paths/).fill('no/such/page')
  await askForExport(page, domain)
  await expect(row.getByText('Refused', { exact: true })).toBeVisible()
  await expect(row.getByText(/no\/such\/page/).first()).toBeVisible()
})

test('an export without a percentage or known status shows the service’s status unchanged until it completes', async ({
  page,
}) => {
  const silent = await startExport(page, 'silent.sentinel.test')
  await expect(silent.getByRole('progressbar')).toBeVisible()
  await expect(silent.getByRole('progressbar')).not.toHaveAttribute('aria-valuenow')
  await expect(silent.getByText('Completed', { exact: true })).toBeVisible()
  const strange = await startExport(page, 'unknown-status.sentinel.test')
  await expect(strange.getByText('Assembling', { exact: true })).toBeVisible()
  await expect(strange.getByText('Completed', { exact: true })).toBeVisible()
})

test('a row shows when it was last checked, can be checked at once, and is restored by Undo after removal', async ({
  page,
}) => {
  const domain = 'slow-002.sentinel.test'
  const row = await startExport(page, domain)
  await expect(row.getByText(/checked .*(ago|just now|now)/)).toBeVisible()
  await chooseFromMenu(row, 'Check now')
  await expectMessage(page, `Checked ${domain} just now.`)
  await expect(row.getByText('Completed', { exact: true })).toBeVisible()
  await chooseFromMenu(row, 'Remove from list')
  await expect(row).toHaveCount(0)
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click()
  await expect(row.getByText('Completed', { exact: true })).toBeVisible()
  await page.reload()
  await expect(row.getByText('Completed', { exact: true })).toBeVisible()
})

test('a running export can be cancelled from its menu or page after a confirmation, and is then shown as cancelled', async ({
  page,
}) => {
  const [first, second] = ['slow-197.sentinel.test', 'slow-198.sentinel.test'] as const
  const row = await startExport(page, first)
  await expect(row.getByRole('progressbar')).toBeVisible()
  await chooseFromMenu(row, 'Cancel export…')
  const dialog = page.getByRole('dialog', { name: 'Cancel this export?' })
  await dialog.getByRole('button', { name: 'Keep it running' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(row.getByRole('progressbar')).toBeVisible()

  await chooseFromMenu(row, 'Cancel export…')
  await dialog.getByRole('button', { name: 'Cancel export' }).click()
  await expect(row.getByText('Cancelled', { exact: true })).toBeVisible()
  await expect(row.getByRole('progressbar')).toHaveCount(0)
  await expect(row.getByRole('button', { name: /^Try again/ })).toBeVisible()

  const other = await startExport(page, second)
  await other.getByRole('link', { name: second, exact: true }).click()
  await page.getByRole('button', { name: 'Cancel export…' }).click()
  await dialog.getByRole('button', { name: 'Cancel export' }).click()
  await expect(page.getByText('Cancelled', { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Cancel export…' })).toHaveCount(0)
  await expect(page.getByText('The service could not finish it')).toHaveCount(0)
})
