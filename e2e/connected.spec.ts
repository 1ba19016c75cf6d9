import { test as base, expect } from '#e2e/support/docket.ts'
import { startPlainService, type PlainService } from '#e2e/support/plain-service.ts'
import { answered, chooseFromMenu, download, exportRow, follow, jobCard, startExport } from '#e2e/support/story.ts'

const test = base.extend<{ service: PlainService; keyToUse: string | null }>({
  keyToUse: [null, { option: true }],
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern.
  service: async ({}, use) => {
    const service = await startPlainService()
    await use(service)
    await service.close()
  },
  docketEnv: async ({ service, keyToUse }, use) => {
    await use({ ADMIN_API_URL: service.url, ADMIN_API_KEY: keyToUse ?? service.key })
  },
})

const domain = 'docs.example.com'

test('the whole page works on a service that speaks only the bare contract', async ({ page, service }) => {
  const row = await startExport(page, domain)
  expect(service.domains).toEqual([domain])
  await expect(row.getByText('Queued', { exact: true })).toBeVisible()
  service.stand({ status: 'running', progress: 40, pageCount: 12 })
  await expect(row.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40', { timeout: 30_000 })
  await expect(row.getByText('12 pages')).toBeVisible()
  service.stand({ status: 'completed' })
  await expect(row.getByText('Completed', { exact: true })).toBeVisible({ timeout: 30_000 })
  const { bytes } = await download(page, row)
  expect(bytes.equals(service.archive)).toBe(true)

  await follow(page, 'acme run-1')
  const card = jobCard(page, 'run-1')
  await expect(card.getByText('Working', { exact: true })).toBeVisible()
  service.finishAgentJob('https://github.com/acme/docs/pull/12')
  await expect(card.getByText('Pull request ready', { exact: true })).toBeVisible({ timeout: 30_000 })
  await expect(card.getByRole('link', { name: /acme\/docs\s*#12/ })).toHaveAttribute(
    'href',
    'https://github.com/acme/docs/pull/12',
  )
  await expect(page.getByText('Connected', { exact: true }).first()).toBeVisible()
  await expect(page.getByText(/local data/i)).toHaveCount(0)
})

test('a key that is rejected later is told with its remedy, the rows stay, and a good key goes on', async ({
  page,
  service,
  tolerate,
}) => {
  tolerate(answered(502, 503))
  const row = await startExport(page, domain)
  service.stand({ status: 'running', progress: 40, pageCount: 12 })
  await expect(row.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40', { timeout: 30_000 })
  await service.be('key rejected')
  await expect(page.getByText('The service rejects the admin key')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText(/ADMIN_API_KEY/).first()).toBeVisible()
  await expect(row.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40')
  await page.reload()
  await expect(row.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40')
  await service.be('well')
  service.stand({ status: 'completed' })
  // Right after a refusal even a click waits some seconds, so a person presses again.
  await expect(async () => {
    await chooseFromMenu(row, 'Check now')
    await expect(row.getByText('Completed', { exact: true })).toBeVisible({ timeout: 2_000 })
  }).toPass({ timeout: 40_000 })
  await expect(page.getByText('The service rejects the admin key')).toHaveCount(0, { timeout: 30_000 })
})

test('a service that cannot be reached is told with its remedy, the rows stay, and its return is noticed', async ({
  page,
  service,
}) => {
  const row = await startExport(page, domain)
  service.stand({ status: 'running', progress: 25, pageCount: 3 })
  await expect(row.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25', { timeout: 30_000 })
  await service.be('closed')
  await expect(page.getByText('The service cannot be reached')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText(/Check ADMIN_API_URL and the network/).first()).toBeVisible()
  await expect(row.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25')
  service.stand({ status: 'completed' })
  await service.be('well')
  await expect(row.getByText('Completed', { exact: true })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText('The service cannot be reached')).toHaveCount(0, { timeout: 30_000 })
})

test('web pages in place of answers are told as such, and what was known stays', async ({ page, service }) => {
  const row = await startExport(page, domain)
  service.stand({ status: 'running', progress: 60, pageCount: 9 })
  await expect(row.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '60', { timeout: 30_000 })
  await service.be('web page')
  await expect(page.getByText('The service answers something unexpected')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText(/it is a web page\. Check ADMIN_API_URL/).first()).toBeVisible()
  await expect(row.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '60')
  await expect(page.getByText('Please sign in')).toHaveCount(0)
})

test.describe(() => {
  test.use({ keyToUse: 'adm_not-the-key' })

  test('a wrong key from the start: the export is refused with the reason, and nothing is claimed', async ({
    page,
    service,
  }) => {
    const row = await startExport(page, domain)
    await expect(row.getByText('Refused', { exact: true })).toBeVisible()
    await expect(page.getByText('The service rejects the admin key')).toBeVisible({ timeout: 30_000 })
    expect(service.domains).toEqual([])
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click()
    await expect(page.getByRole('main').getByText('Key rejected', { exact: true })).toBeVisible()
    await expect(exportRow(page, domain)).toHaveCount(0)
    await expect(page.getByText('adm_not-the-key')).toHaveCount(0)
  })
})
