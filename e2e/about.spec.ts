import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/docket.ts'
import { addPerson, otherBrowser, signIn } from '#e2e/support/people.ts'
import { runSql } from '#e2e/support/database.ts'
import type { Docket } from '#e2e/support/docket-server.ts'

test.use({ ownDocket: true })

/** Makes this Docket one that took over from an earlier version a moment ago. */
const upgrade = (docket: Docket) =>
  runSql(
    docket,
    `update versions set first_started_at = now();
    insert into versions values ('0.0.9', now() - interval '1 day')`,
  )

test('after an upgrade, each user is notified of the news until they read it; viewers see licences but no machine details', async ({
  page,
  docket,
  browser,
}) => {
  const viewer = await addPerson(docket, 'viewer')
  await page.goto('/')
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await expect(navigation).toBeVisible()
  const news = page.getByRole('menuitem', { name: 'What’s new' })
  const openMenu = () => page.getByRole('button', { name: /^Menu of / }).click()
  await upgrade(docket)
  await page.reload()
  await openMenu()
  await news.click()
  await expect(page.getByRole('heading', { name: 'This Docket' })).toBeVisible()
  await expect(page.getByText('Platform', { exact: true })).toBeVisible()
  await expect(page.getByText('New to you').first()).toBeVisible()
  await expect(page.getByText('Docket never asks anyone for updates.')).toBeVisible()
  await openMenu()
  await expect(page.getByRole('menuitem', { name: 'Your account' })).toBeVisible()
  await expect(news).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByText(/^Packages \d/).click()
  for (const name of [/^react \d.*MIT$/, /^hono \d.*MIT$/, /^PostgreSQL/])
    await expect(page.getByRole('listitem').filter({ hasText: name })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: /^vitest / })).toHaveCount(0)
  await expectAccessible(page)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'This Docket' })).toBeVisible()
  await expect(page.getByText('New to you')).toHaveCount(0)

  const context = await otherBrowser(browser)
  const theirs = await context.newPage()
  await theirs.setViewportSize({ width: 360, height: 740 })
  await theirs.goto(`${docket.url}/settings/about`)
  await signIn(theirs, viewer)
  await expect(theirs.getByRole('heading', { name: 'This Docket' })).toBeVisible()
  await expect(theirs.getByText('New to you').first()).toBeVisible()
  await expect(theirs.getByText('Platform', { exact: true })).toHaveCount(0)
  expect(await theirs.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await context.close()
})
