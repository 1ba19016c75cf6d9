import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/docket.ts'
import { noServer, startExport, untilSaved } from '#e2e/support/story.ts'

test.use({ ownDocket: true })

test('a store unknown to the database waits for an admin, and a site reports a missing bundle until it is restored', async ({
  page,
  docket,
  tolerate,
}) => {
  tolerate(noServer)
  const domain = 'slow-1.sentinel.test'
  const row = await startExport(page, domain)
  await untilSaved(row)
  await row.getByRole('link', { name: domain, exact: true }).click()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(dialog).toBeHidden()

  const store = join(docket.dataDir, 'artifacts')
  const bundles = join(store, 'sha256')
  const [published = ''] = await readdir(bundles)
  await docket.stop()
  await writeFile(join(store, '.docket-storage'), `${randomUUID()}\n`)
  const foreign = join(bundles, 'f'.repeat(64))
  await mkdir(foreign)
  await writeFile(join(foreign, 'bundle'), Buffer.alloc(2_000_000))
  await docket.start()

  await page.goto('/settings/storage')
  const unknown = page.getByRole('region', { name: 'Docket doesn’t know this store' })
  await expect(async () => {
    await page.reload()
    await expect(unknown).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expect(unknown).toContainText('1 orphan, 2 MB.')
  await unknown.getByText('Each of them').click()
  await expectAccessible(page)
  await unknown.getByRole('button', { name: 'Leave' }).click()
  const orphans = page.getByRole('region', { name: 'Orphans' })
  await expect(orphans.getByText('Docket leaves them as they are.')).toBeVisible()
  await orphans.getByRole('button', { name: 'Adopt' }).click()
  // Its bytes are not those of its name.
  await orphans.getByRole('button', { name: 'Remove 1 orphan, 2 MB' }).click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Remove 1 orphan, 2 MB' }).click()
  await expect(orphans).toHaveCount(0)

  await docket.stop()
  const away = join(store, 'away')
  await rename(join(bundles, published), away)
  await docket.start()
  await page.goto('/')
  await page.getByRole('link', { name: domain }).first().click()
  await expect(async () => {
    await page.reload()
    await expect(page.getByText('missing from the store, so readers').first()).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expectAccessible(page)
  await docket.stop()
  await rename(away, join(bundles, published))
  await docket.start()
  await expect(async () => {
    await page.reload()
    await expect(page.getByText('slow-1-sentinel-test.localhost').first()).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expect(page.getByText('missing from the store')).toHaveCount(0)
})
