import { expect, test } from '#e2e/support/docket.ts'
import {
  chooseFromMenu,
  download,
  expectMessage,
  readLocalService,
  serviceJobs,
  sha256,
  startExport,
  storedBundle,
} from '#e2e/support/story.ts'

test('a bundle can be downloaded repeatedly after its first link expires, and a copied link works without Docket @story', async ({
  page,
  context,
  docket,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: docket.url })
  const domain = 'dying-link.sentinel.test'
  const row = await startExport(page, domain)
  await expect(row.getByText('Completed', { exact: true })).toBeVisible()
  const first = await download(page, row)
  await chooseFromMenu(row, 'Copy page link')
  await expectMessage(page, 'Page link copied.')
  const href = await row.getByRole('link', { name: domain, exact: true }).getAttribute('href')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(docket.url + href)
  // The first link dies. A download of a stored bundle needs none, so this may be the first one.
  const copyLink = async () => {
    const response = page.waitForResponse((one) => one.url().endsWith('/bundle'))
    await chooseFromMenu(row, 'Copy secret download link…')
    const { bundleUrl } = (await (await response).json()) as { bundleUrl: string }
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(bundleUrl)
    return bundleUrl
  }
  await copyLink()
  const link = await copyLink()
  // With the zone, and the day if it is tomorrow already.
  await expectMessage(page, /Anyone with this link can download the bundle until .*\d\d.* [A-Z]/)
  expect(new URL(link).origin).toBe(readLocalService(docket))
  const direct = Buffer.from(await (await fetch(link)).arrayBuffer())
  await row.getByRole('link', { name: domain, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: domain })).toBeVisible()
  const second = await download(page, page)
  expect(second.name).toBe(first.name)
  const [jobId] = await serviceJobs(docket, domain)
  const original = sha256(storedBundle(docket, jobId!))
  expect([first.bytes, direct, second.bytes].map(sha256)).toEqual([original, original, original])
})
