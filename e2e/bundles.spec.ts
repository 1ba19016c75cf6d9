import { expect, test } from '#e2e/support/docket.ts'
import {
  chooseFromMenu,
  codeHostOf,
  download,
  serviceJobs,
  sha256,
  startExport,
  storedBundle,
} from '#e2e/support/story.ts'

for (const [name, domain] of [
  ['that is dead before the download', 'early-link.sentinel.test'],
  ['that dies during the download', 'dying-link.sentinel.test'],
] as const)
  test(`a bundle link ${name} is renewed underneath, and the bytes equal the original`, async ({ page, docket }) => {
    const row = await startExport(page, domain)
    await expect(row.getByText('Completed', { exact: true })).toBeVisible({ timeout: 30_000 })
    const { bytes } = await download(page, row)
    const [jobId] = serviceJobs(docket, domain)
    expect(sha256(bytes)).toBe(sha256(storedBundle(docket, jobId!)))
  })

test('a bundle can be downloaded again and again, from the row and from its page', async ({ page, docket }) => {
  const domain = 'slow-0.sentinel.test'
  const row = await startExport(page, domain)
  await expect(row.getByText('Completed', { exact: true })).toBeVisible({ timeout: 30_000 })
  const first = await download(page, row)
  await row.getByRole('link', { name: domain, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: domain })).toBeVisible()
  const second = await download(page, page)
  expect(second.name).toBe(first.name)
  const [jobId] = serviceJobs(docket, domain)
  const original = sha256(storedBundle(docket, jobId!))
  expect([first, second].map(({ bytes }) => sha256(bytes))).toEqual([original, original])
})

test('a copied link leads to the bundle without Docket, and says how long it works', async ({
  page,
  context,
  docket,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: docket.url })
  const domain = 'slow-00.sentinel.test'
  const row = await startExport(page, domain)
  await expect(row.getByText('Completed', { exact: true })).toBeVisible({ timeout: 30_000 })
  await chooseFromMenu(row, 'Copy link')
  await expect(page.getByText(/Link copied\. It works until .* Whoever has it can download the bundle\./)).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(new URL(link).origin).toBe(codeHostOf(docket))
  const bytes = Buffer.from(await (await fetch(link)).arrayBuffer())
  const [jobId] = serviceJobs(docket, domain)
  expect(sha256(bytes)).toBe(sha256(storedBundle(docket, jobId!)))
})
