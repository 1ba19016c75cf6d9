import { expect, test } from '#e2e/support/docket.ts'
import {
  askForExport,
  chooseFromNewExport,
  download,
  exportRow,
  exportRows,
  noServer,
  openStartForm,
  progressBeyond,
  serviceJobs,
  sha256,
  startExport,
  storedBundle,
} from '#e2e/support/story.ts'

test('the page reports in one place that the browser is offline, and removes the message once it is online @story', async ({
  page,
  context,
  tolerate,
}) => {
  // A part of the page may still be on its way.
  tolerate(({ text }) => /net::ERR_INTERNET_DISCONNECTED|Failed to fetch dynamically imported module/.test(text))
  await page.goto('/exports')
  await expect(page.getByRole('heading', { name: 'Exports', level: 1 })).toBeVisible()
  await context.setOffline(true)
  await expect(page.getByText('This device is offline')).toHaveCount(1)
  await expect(page.getByText(/does not answer|Could not refresh/)).toHaveCount(0)
  await context.setOffline(false)
  await expect(page.getByText('This device is offline')).toHaveCount(0)
})

test('a tab whose build is no longer on the server reloads once and never in a loop @story', async ({ page }) => {
  await page.goto('/exports')
  await expect(page.getByRole('heading', { name: 'Exports', level: 1 })).toBeVisible()
  const fail = () =>
    page.evaluate(async () => {
      dispatchEvent(new Event('vite:preloadError', { cancelable: true }))
      // Later than what the event asks of the server.
      await fetch('/')
    })
  const reloaded = page.waitForEvent('load')
  await fail().catch(() => {})
  await reloaded
  await expect(page.getByRole('heading', { name: 'Exports', level: 1 })).toBeVisible()
  await page.evaluate(() => (document.body.dataset['marked'] = 'true'))
  await fail()
  await expect(page.locator('body[data-marked]')).toHaveCount(1)
})

test.describe(() => {
  test.use({ ownDocket: true })

  test('after a kill -9 of the server during an export, the page recovers by itself, nothing on it moves, and the export completes', async ({
    page,
    docket,
    tolerate,
  }) => {
    tolerate(noServer)
    const domain = 'slow-20.sentinel.test'
    const row = await startExport(page, domain)
    await progressBeyond(row, 10)
    await page.evaluate(() => {
      const moved = Object.assign(globalThis, { shift: 0 })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) moved.shift += (entry as PerformanceEntry & { value: number }).value
      }).observe({ type: 'layout-shift' })
    })
    await docket.kill9()
    await expect(page.getByText('Docket isn’t responding')).toHaveCount(1)
    await expect(page.getByText(/Could not refresh/)).toHaveCount(0)
    await expect(row).toBeVisible()
    await docket.start()
    await expect(page.getByText('Docket isn’t responding')).toHaveCount(0)
    expect(await page.evaluate(() => (globalThis as unknown as { shift: number }).shift)).toBeLessThan(0.02)
    await expect(row.getByText('Completed', { exact: true })).toBeVisible()
    await expect(exportRows(page, domain)).toHaveCount(1)
    const jobIds = await serviceJobs(docket, domain)
    expect(jobIds).toHaveLength(1)
    const { bytes } = await download(page, row)
    expect(sha256(bytes)).toBe(sha256(storedBundle(docket, jobIds[0]!)))
  })

  test('while Docket is stopped, the page reports it and keeps rows and typed text; a sent start runs once after a restart @story', async ({
    page,
    docket,
    tolerate,
  }) => {
    tolerate(noServer)
    const done = await startExport(page, 'slow-1.sentinel.test')
    await expect(done.getByText('Completed', { exact: true })).toBeVisible()
    const running = await startExport(page, 'slow-20.sentinel.test')
    await progressBeyond(running, 0)
    const address = docket.url
    await docket.stop()
    await expect(page.getByText(/Check that it’s running and that this computer can reach it/).first()).toBeVisible()
    await expect(page.getByText(/Showing data from .*ago/).first()).toBeVisible()
    await expect(done.getByText('Completed', { exact: true })).toBeVisible()
    await expect(running.getByRole('progressbar')).toBeVisible()
    const domain = 'slow-01.sentinel.test'
    await askForExport(page, domain)
    await expect(page.getByText('No response to the start')).toBeVisible()
    await expect(page.getByText(/Docket isn’t responding|computer can reach it/)).toHaveCount(2)
    await docket.start()
    expect(docket.url).toBe(address)
    await expect(page.getByText('No response to the start')).toHaveCount(0)
    await page.getByRole('button', { name: 'Start export' }).click()
    await expect(exportRow(page, domain).getByText('Completed', { exact: true })).toBeVisible()
    await expect(exportRows(page, domain)).toHaveCount(1)
    expect(await serviceJobs(docket, domain)).toHaveLength(1)
    await expect(running.getByText('Completed', { exact: true })).toBeVisible()
    await expect(page.getByText('Docket isn’t responding')).toHaveCount(0)
  })

  test('a dialog whose code cannot be loaded shows a message, and opens on another try; typed text stays', async ({
    page,
    docket,
    tolerate,
  }) => {
    tolerate(noServer)
    await page.goto('/exports')
    await (await openStartForm(page)).fill('typed.example.com')
    await page.keyboard.press('Escape')
    await docket.stop()
    await chooseFromNewExport(page, 'Upload a bundle')
    const failed = page.getByRole('dialog', { name: 'This part could not be loaded' })
    await expect(failed).toBeVisible()
    await expect(page.getByText('This page crashed')).toHaveCount(0)
    await docket.start()
    await failed.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('dialog', { name: 'Upload a bundle' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(await openStartForm(page)).toHaveValue('typed.example.com')
  })
})
