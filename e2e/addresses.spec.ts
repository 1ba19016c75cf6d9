import { expect, test } from '#e2e/support/docket.ts'
import { answered, follow, jobCard } from '#e2e/support/story.ts'

test('every settings address opens directly, old addresses redirect, and Back skips them', async ({ page }) => {
  await page.goto('/exports')
  const moved = [
    ['/settings', '/settings/connections', 'Settings'],
    ['/settings/', '/settings/connections', 'Settings'],
    ['/connection?x=1', '/settings/connections?x=1', 'Settings'],
    ['/settings/connection', '/settings/connections', 'Settings'],
    ['/availability', '/settings/connections', 'Settings'],
    ['/settings/account#password', '/account#password', 'Account'],
    ['/code', '/agent-jobs/pulls', 'Agent jobs'],
    ['/sites', '/', 'Sites'],
  ] as const
  for (const [old, now, heading] of moved) {
    await page.goto(old)
    await expect(page).toHaveURL(new URL(now, page.url()).href)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  }
  for (let back = 0; back < moved.length; back += 1) await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Exports' })).toBeVisible()
  for (const [path, title, tab] of [
    ['/settings/connections', 'Connections', 'Connections'],
    ['/settings/people', 'People', 'People and tokens'],
    ['/settings/tokens', 'API tokens', 'People and tokens'],
    ['/settings/storage', 'Storage', 'Storage and backups'],
    ['/settings/audit?action=hack&from=yesterday', 'Audit', 'Audit'],
  ] as const) {
    await page.goto(path)
    await expect(page).toHaveTitle(new RegExp(`${title} · Docket$`))
    await expect(page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: tab })).toHaveAttribute(
      'aria-current',
      'page',
    )
  }
})

test('an identifier may contain characters that have a meaning in addresses', async ({ page, tolerate }) => {
  tolerate(answered(404, 400))
  for (const path of [
    '/agent-jobs/my%20docs/a%2Fb',
    '/agent-jobs/docs/100%25',
    '/agent-jobs/docs/$job',
    '/agent-jobs/$a/b',
  ])
    for (const open of [() => page.goto(path), () => page.reload()]) {
      await open()
      await expect(page.getByRole('heading', { level: 1, name: 'This job is not on the list' })).toBeVisible()
      expect(decodeURIComponent(new URL(page.url()).pathname)).toBe(decodeURIComponent(path))
    }
})

test('an unknown or malformed address shows a message inside the app and never leaves this origin', async ({
  page,
  docket,
  tolerate,
}) => {
  tolerate(answered(404, 400))
  for (const path of [
    '/exports/%E0%A4%A',
    '/exports/1/more',
    '/settings/nothing',
    '/Exports',
    '//elsewhere.example/x',
  ]) {
    await page.goto(docket.url + path)
    await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
    await expect(page).toHaveTitle(/Not found · Docket$/)
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
    expect(new URL(page.url()).origin).toBe(docket.url)
  }
})

test('Back and Forward step through the filters of a list, and typed text is a single step @story', async ({
  page,
}) => {
  await follow(page, 'sentinel failed\nsentinel archived')
  await page.goto('/agent-jobs?utm=1')
  const query = () => new URL(page.url()).search
  await expect(jobCard(page, 'failed')).toBeVisible()
  expect(query()).toBe('?utm=1')
  await page.getByRole('combobox', { name: 'State' }).selectOption('failed')
  await expect(jobCard(page, 'archived')).toHaveCount(0)
  await page.getByRole('searchbox', { name: 'Filter agent jobs' }).pressSequentially('nowhere', { delay: 60 })
  await expect(page.getByText('No job matches these filters.')).toBeVisible()
  await expect.poll(query).toBe('?q=nowhere&group=failed')
  await page.goBack()
  await expect(jobCard(page, 'archived')).toBeVisible()
  expect(query()).toBe('?utm=1')
  await page.goForward()
  await expect(page.getByRole('searchbox', { name: 'Filter agent jobs' })).toHaveValue('nowhere')
  await page.reload()
  await expect(page.getByText('No job matches these filters.')).toBeVisible()
})

test('a middle click or Ctrl-click on a link opens a new tab, and the current page stays @story', async ({
  page,
  context,
}) => {
  await page.goto('/exports')
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Agent jobs' })
  for (const options of [{ button: 'middle' as const }, { modifiers: ['ControlOrMeta' as const] }]) {
    const [tab] = await Promise.all([context.waitForEvent('page'), link.click(options)])
    await expect(tab.getByRole('heading', { level: 1, name: 'Agent jobs' })).toBeVisible()
    await tab.close()
    await expect(page.getByRole('heading', { level: 1, name: 'Exports' })).toBeVisible()
  }
})

test('a new page starts at its top, and Back restores the scroll position of the previous page @story', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1000, height: 400 })
  await page.goto('/account')
  await expect(page.getByRole('heading', { name: 'This browser' })).toBeVisible()
  await page.evaluate(() => scrollTo(0, 300))
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await expect(page.getByRole('heading', { level: 1, name: 'Agent jobs' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'This browser' })).toBeVisible()
  // Content above it may have grown by some pixels meanwhile.
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(250)
})
