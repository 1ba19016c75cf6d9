import { expect, test } from '#e2e/support/docket.ts'
import {
  download,
  exportRow,
  exportRows,
  noServer,
  progressBeyond,
  serviceJobs,
  sha256,
  startExport,
  storedBundle,
} from '#e2e/support/story.ts'

test.use({ ownDocket: true })

test('a kill -9 of the server in the middle loses nothing: the page recovers by itself and the export completes', async ({
  page,
  docket,
  tolerate,
}) => {
  tolerate(noServer)
  const domain = 'slow-8.sentinel.test'
  const row = await startExport(page, domain)
  await progressBeyond(row, 10)
  await docket.kill9()
  await expect(page.getByText('Docket does not answer').first()).toBeVisible({ timeout: 30_000 })
  await expect(row).toBeVisible()
  await docket.start()
  await expect(page.getByText('Docket does not answer')).toHaveCount(0, { timeout: 40_000 })
  await expect(row.getByText('Completed', { exact: true })).toBeVisible({ timeout: 60_000 })
  await expect(exportRows(page, domain)).toHaveCount(1)
  const jobIds = serviceJobs(docket, domain)
  expect(jobIds).toHaveLength(1)
  const { bytes } = await download(page, row)
  expect(sha256(bytes)).toBe(sha256(storedBundle(docket, jobIds[0]!)))
})

test('while Docket is stopped the page says so and keeps its rows, and a restart on the same port brings it back', async ({
  page,
  docket,
  tolerate,
}) => {
  tolerate(noServer)
  const done = await startExport(page, 'slow-1.sentinel.test')
  await expect(done.getByText('Completed', { exact: true })).toBeVisible({ timeout: 30_000 })
  const running = await startExport(page, 'slow-9.sentinel.test')
  await progressBeyond(running, 0)
  const address = docket.url
  await docket.stop()
  await expect(page.getByText(/Check that it is running and that this machine can reach it/).first()).toBeVisible({
    timeout: 30_000,
  })
  await expect(page.getByText(/was known .*ago/).first()).toBeVisible()
  await expect(done.getByText('Completed', { exact: true })).toBeVisible()
  await expect(running.getByRole('progressbar')).toBeVisible()
  await docket.start()
  expect(docket.url).toBe(address)
  await expect(running.getByText('Completed', { exact: true })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText('Docket does not answer')).toHaveCount(0, { timeout: 40_000 })
})

test('what is typed and sent while Docket is away starts one export when it is back', async ({
  page,
  docket,
  tolerate,
}) => {
  tolerate(noServer)
  const domain = 'slow-01.sentinel.test'
  await page.goto('/exports')
  await page.getByRole('textbox', { name: 'Domain', exact: true }).fill(domain)
  await docket.stop()
  await page.getByRole('button', { name: 'Start export' }).click()
  await expect(page.getByText('The export was not started')).toBeVisible()
  await docket.start()
  await page.getByRole('button', { name: 'Start export' }).click()
  await expect(exportRow(page, domain).getByText('Completed', { exact: true })).toBeVisible({ timeout: 40_000 })
  await expect(exportRows(page, domain)).toHaveCount(1)
  expect(serviceJobs(docket, domain)).toHaveLength(1)
})

test('a service that asks for slowness is told on every page, and the export completes afterwards', async ({
  page,
}) => {
  const row = await startExport(page, 'rate-limited.sentinel.test')
  await expect(page.getByText('The service asked Docket to slow down')).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Availability' }).click()
  await expect(page.getByText('The service asked Docket to slow down')).toBeVisible()
  await page.goBack()
  await expect(row.getByText('Completed', { exact: true })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText('The service asked Docket to slow down')).toHaveCount(0, { timeout: 40_000 })
})

test('an export that the service forgets keeps what was known of it, marked as gone', async ({ page }) => {
  const row = await startExport(page, 'vanishes.sentinel.test')
  await progressBeyond(row, 0)
  await expect(row.getByText('Gone upstream', { exact: true })).toBeVisible({ timeout: 30_000 })
  await expect(row.getByRole('button', { name: /^Try again/ })).toBeVisible()
  await row.getByRole('link', { name: 'vanishes.sentinel.test', exact: true }).click()
  await expect(page.getByText('The service no longer knows this job')).toBeVisible()
})
