import { unpackTar } from 'modern-tar'
import { gunzipSync } from 'node:zlib'
import { expect, test } from '#e2e/support/docket.ts'
import { download, siteRow, serviceJobs, sha256, storedBundle } from '#e2e/support/story.ts'

test.use({ docketEnv: { NO_CLUSTER: 'true' } })

test('empty lists explain what they will show, and a new user reaches an unpacked bundle in three clicks @story', async ({
  page,
  docket,
}) => {
  await page.goto('/agent-jobs')
  await expect(page.getByText('No agent jobs yet')).toBeVisible()
  await page.goto('/exports')
  await expect(page.getByText('No exports yet')).toBeVisible()
  await expect(page.getByRole('button', { name: 'New export', exact: true })).toBeVisible()
  await page.goto('/')
  await expect(page.getByLabel('Domain', { exact: true })).toHaveValue('docs.localhost')
  await page.getByRole('button', { name: 'Start export' }).click()
  const row = siteRow(page, 'docs.localhost')

  const { name, bytes } = await download(page, row)
  expect(name).toMatch(/^docs\.localhost-\d{4}-\d{2}-\d{2}\.tar\.gz$/)
  const files = (await unpackTar(gunzipSync(bytes))).map(({ header }) => header.name.replace(/^\.\//, ''))
  expect(files).toContain('index.html')
  expect(files).toContain('quickstart.html')

  const jobIds = await serviceJobs(docket, 'docs.localhost')
  expect(jobIds).toHaveLength(1)
  const original = sha256(storedBundle(docket, jobIds[0]!))
  expect(sha256(bytes)).toBe(original)
  await row.getByRole('link', { name: / ago$|^just now$/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'docs.localhost' })).toBeVisible()
  // The checksum of the whole transfer is written after its last byte, which the browser may have first.
  await expect(async () => {
    await page.reload()
    await page.getByText('Details', { exact: true }).click()
    await expect(page.getByText(original)).toBeVisible({ timeout: 5_000 })
  }).toPass()
})
