import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from '#e2e/support/docket.ts'
import {
  answered,
  chooseFromPersonMenu,
  exportRow,
  follow,
  jobCard,
  jobPageId,
  expectMessage,
  openJob,
  progressBeyond,
  readProgress,
  serviceJobs,
  startExport,
} from '#e2e/support/story.ts'

const pages = [
  { path: '/', heading: 'Sites', key: 'h' },
  { path: '/exports', heading: 'Exports', key: 'e' },
  { path: '/agent-jobs', heading: 'Agent jobs', key: 'a' },
  { path: '/settings/connections', heading: 'Settings', key: 's' },
] as const

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
  version: string
}

const findHeading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

test('every page opens by its address, has its own title, and is marked in the navigation', async ({ page }) => {
  for (const { path, heading } of pages) {
    await page.goto(path)
    await expect(findHeading(page, heading)).toBeVisible()
    await expect(page).toHaveTitle(new RegExp(`${heading === 'Settings' ? 'Connections' : heading} · Docket$`))
    await expect(
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: new RegExp(`^${heading}`) }),
    ).toHaveAttribute('aria-current', 'page')
  }
})

test('an unknown address shows a message with a link back', async ({ page, tolerate }) => {
  tolerate(answered(400, 404))
  await page.goto('/no/such/page')
  await expect(findHeading(page, 'Page not found')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'sites' }).click()
  await expect(findHeading(page, 'Sites')).toBeVisible()
  await page.goto('/exports/00000000-0000-4000-8000-000000000000')
  await expect(findHeading(page, 'Export not found')).toBeVisible()
  await page.goto('/exports/not-an-id')
  await expect(
    page
      .getByRole('main')
      .getByText(/Export not found|Could not load|address is wrong/)
      .first(),
  ).toBeVisible()
  await page.goto('/agent-jobs/docs/nobody')
  await expect(findHeading(page, 'This job is not on the list')).toBeVisible()
})

test('every page can be reached with the keyboard alone, and the navigation can be skipped @story', async ({
  page,
}) => {
  await page.goto('/settings/connections')
  await expect(findHeading(page, 'Settings')).toBeVisible()
  for (const { heading, key } of pages) {
    await page.keyboard.press('g')
    await page.keyboard.press(key)
    await expect(findHeading(page, heading)).toBeVisible()
  }
  await page.reload()
  await expect(findHeading(page, 'Settings')).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('n')
  await expect(page.getByLabel('Domain', { exact: true })).toBeFocused()
  await page.keyboard.type('g.e?')
  await expect(page.getByLabel('Domain', { exact: true })).toHaveValue('g.e?')
  await expect(page.getByRole('dialog')).toHaveAccessibleName('New export')
})

test('dialogs list the keys, find pages by name, close on Escape and return the focus @story', async ({ page }) => {
  await page.goto('/exports')
  const opener = page.getByRole('button', { name: 'Activity' })
  await opener.focus()
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard' })
  await expect(keys.getByText('Go to Agent jobs')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(keys).toHaveCount(0)
  await expect(opener).toBeFocused()

  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search or run a command' })
  await expect(palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(palette).toHaveCount(0)
  await expect(opener).toBeFocused()
  // Before the browser has announced that the one before is closed.
  for (const key of ['Control+k', 'Escape', 'Control+k']) await page.keyboard.press(key)
  await palette.getByRole('combobox').fill('storage')
  await page.keyboard.press('Enter')
  await expect(findHeading(page, 'Settings')).toBeVisible()
  await expect(palette).toHaveCount(0)

  await page.goto('/exports')
  const others = page.getByRole('button', { name: 'Other ways to add an export' })
  await others.focus()
  for (const key of ['Enter', 'Enter']) await page.keyboard.press(key)
  await expect(page.getByRole('dialog').getByLabel('Job ID')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(others).toBeFocused()
})

test('the palette finds every record, downloads the latest of a domain, and exports one through the usual questions', async ({
  page,
  docket,
  tolerate,
}) => {
  tolerate(answered(409))
  const [old, running] = ['slow-00.sentinel.test', 'slow-620.sentinel.test']
  const row = await startExport(page, old)
  // Nine newer exports push a completed one off the page.
  await expect(row.getByText('Completed', { exact: true })).toBeVisible()
  await page.evaluate(async () => {
    const headers = { 'content-type': 'application/json', 'x-docket': '1' }
    for (let newer = 0; newer < 9; newer += 1)
      await fetch('/api/static-exports', {
        method: 'POST',
        headers,
        body: JSON.stringify({ requestId: crypto.randomUUID(), domain: 'plan-refused.sentinel.test' }),
      })
  })
  const palette = page.getByRole('dialog', { name: 'Search or run a command' })
  const type = async (text: string) => {
    await page.keyboard.press('Control+k')
    await palette.getByRole('combobox').fill(text)
  }
  await page.goto('/settings/about')
  await expect(findHeading(page, 'Settings')).toBeVisible()
  await type('slow-00')
  // The site of the export comes before it, once it is known.
  await palette.getByRole('option', { name: `${old} Completed` }).click()
  await expect(findHeading(page, old)).toBeVisible()
  await expect(page).toHaveTitle(`${old} · Docket`)

  await type(`download ${old}`)
  const [file] = await Promise.all([page.waitForEvent('download'), palette.getByRole('option').first().click()])
  expect(file.suggestedFilename()).toContain(old)
  await type('download never.sentinel.test')
  await expect(palette.getByRole('status')).toContainText('No match for “never.sentinel.test” in all exports')
  await palette.getByRole('option', { name: 'Download the latest bundle of never.sentinel.test' }).click()
  await expectMessage(page, 'There is no completed export of never.sentinel.test.')

  await type(`export ${running}`)
  await expect(palette.getByRole('option', { name: `Export ${running}` })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(findHeading(page, running)).toBeVisible()
  await expect(page).toHaveTitle(new RegExp(`^(\\d+ %|[A-Z][a-z]+) · ${running} · Docket$`))
  await type(`export ${running}`)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Already running' }).getByRole('button', { name: 'Open the running' }).click()
  await expect(findHeading(page, running)).toBeVisible()
  expect(await serviceJobs(docket, running)).toHaveLength(1)
})

test('the menu of a row works with the arrow keys, and Escape returns the focus to its button', async ({ page }) => {
  await follow(page, 'sentinel merge-request')
  const card = jobCard(page, 'merge-request')
  const button = card.getByRole('button', { name: /^More for / })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(card.getByRole('menuitem', { name: 'Open' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(card.getByRole('menuitem', { name: 'Check now' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(card.getByRole('menuitem', { name: 'Open' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(jobPageId(page, 'merge-request')).toBeVisible()
})

test('the menu of a row stays at its button while the page scrolls, and closes when the button leaves the screen @story', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 420 })
  await follow(page, 'sentinel archived')
  const button = jobCard(page, 'archived').getByRole('button', { name: /^More for / })
  await button.click()
  const menu = page.getByRole('menu')
  await expect(menu).toBeVisible()
  // Below or above, wherever there is room.
  const gap = async () => {
    const [above, below] = [(await menu.boundingBox())!, (await button.boundingBox())!].toSorted((a, b) => a.y - b.y)
    return Math.abs(below!.y - above!.y - above!.height)
  }
  await expect.poll(gap).toBeLessThan(12)
  const { y } = (await button.boundingBox())!
  await page.evaluate(() => scrollBy(0, -20))
  await expect.poll(async () => (await button.boundingBox())!.y).toBeCloseTo(y + 20, 0)
  await expect.poll(gap).toBeLessThan(12)
  await page.evaluate(() => scrollTo(0, 0))
  await expect(button).not.toBeInViewport()
  await expect(menu).toHaveCount(0)
})

test('a chosen theme survives a reload, and choosing “system” follows the system again @story', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/account')
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await background()
  await page.getByRole('radio', { name: 'Dark theme' }).check({ force: true })
  await expect.poll(background).not.toBe(light)
  const dark = await background()
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Dark theme' })).toBeChecked()
  expect(await background()).toBe(dark)
  await chooseFromPersonMenu(page, 'System theme')
  await expect.poll(background).toBe(light)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(background).toBe(dark)
})

test('a paused page does not change while Docket keeps watching, and catches up when resumed', async ({
  page,
  context,
}) => {
  const domain = 'slow-182.sentinel.test'
  const row = await startExport(page, domain)
  await progressBeyond(row, 0)
  await chooseFromPersonMenu(page, 'Pause refreshing')
  await expect(page.getByText('Refreshing is paused. Docket keeps watching.')).toBeVisible()
  const tab = await context.newPage()
  await tab.goto('/exports')
  const still = (await readProgress(row)) ?? 0
  const later = await progressBeyond(exportRow(tab, domain), still + 1)
  await page.bringToFront()
  expect(await readProgress(row)).toBe(still)
  await page.getByRole('button', { name: 'Resume' }).click()
  expect(await progressBeyond(row, still)).toBeGreaterThanOrEqual(later)
})

test('typing filters a list, and its address keeps the filter', async ({ page }) => {
  await follow(page, 'sentinel failed\nsentinel archived')
  await expect(jobCard(page, 'failed')).toBeVisible()
  await page.getByRole('main').focus()
  await page.keyboard.press('/')
  await page.keyboard.type('archived')
  await expect(jobCard(page, 'failed')).toHaveCount(0)
  await expect(jobCard(page, 'archived')).toBeVisible()
  await page.reload()
  await expect(jobCard(page, 'archived')).toBeVisible()
  await expect(jobCard(page, 'failed')).toHaveCount(0)
})

test('at 360 px, no page scrolls sideways and the navigation is reachable @story', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  const fits = async () =>
    expect(await page.evaluate(() => document.documentElement.scrollWidth), page.url()).toBeLessThanOrEqual(360)
  const row = await startExport(page, 'plan-refused.sentinel.test')
  await expect(row.getByText('Refused', { exact: true })).toBeVisible()
  await fits()
  await startExport(page, 'slow-000.sentinel.test')
  await fits()
  await exportRow(page, 'slow-000.sentinel.test')
    .getByRole('link', { name: 'slow-000.sentinel.test', exact: true })
    .click()
  await expect(findHeading(page, 'slow-000.sentinel.test')).toBeVisible()
  await fits()
  await follow(page, 'sentinel unsafe-links\nsentinel pull-request')
  await expect(jobCard(page, 'pull-request')).toBeVisible()
  await fits()
  await openJob(page, 'unsafe-links')
  await fits()
  for (const { path, heading } of pages) {
    await page.goto(path)
    await expect(findHeading(page, heading)).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveText([
      'Sites',
      'Exports',
      'Agent jobs',
      'Settings',
    ])
    await fits()
  }
})

test('Help opens the user guide, whose search finds a page, and which sends no request to another host @story', async ({
  page,
  tolerate,
}) => {
  // The guide is another origin. It may complain no more than a page of Docket.
  tolerate(({ kind, text }) => kind === 'foreign request' && new URL(text).hostname === 'docket-help.localhost')
  await page.goto('/')
  const opening = page.waitForEvent('popup')
  await chooseFromPersonMenu(page, 'Help')
  const guide = await opening
  await expect(guide).toHaveURL(/^http:\/\/docket-help\.localhost:\d+\/$/)
  await expect(guide.getByRole('banner').getByText(version, { exact: true })).toBeVisible()
  await guide.getByRole('button', { name: 'Search' }).click()
  await guide.getByRole('searchbox').fill('unknown outcome')
  await guide
    .getByRole('dialog')
    .getByRole('link', { name: /outcome is unknown/ })
    .first()
    .click()
  await expect(findHeading(guide, 'When the outcome is unknown')).toBeVisible()
  expect(await guide.context().cookies(guide.url())).toEqual([])

  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Search or run a command' }).getByRole('combobox').fill('user guide')
  const again = page.waitForEvent('popup')
  await page.getByRole('option', { name: 'Help' }).click()
  await expect(findHeading(await again, 'Docket')).toBeVisible()
})

test('nothing moves for users who prefer reduced motion', async ({ page }) => {
  const endless = () =>
    page.evaluate(
      () =>
        document.getAnimations().filter((animation) => animation.effect?.getTiming().iterations === Infinity).length,
    )
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  const row = await startExport(page, 'slow-183.sentinel.test')
  await expect(row.getByRole('progressbar')).toBeVisible()
  await expect(row.getByText('Running', { exact: true })).toBeVisible()
  expect(await endless()).toBeGreaterThan(0)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect.poll(endless).toBe(0)
})

test('the reason why a control does nothing goes with its page @story', async ({ page }) => {
  await page.goto('/settings/account')
  await page.getByRole('region', { name: 'You' }).getByRole('button', { name: 'Save' }).press('Enter')
  const reason = page.locator('p[popover]')
  await expect(reason).toHaveText('Nothing to save.')
  await page.keyboard.press('g')
  await page.keyboard.press('e')
  await expect(findHeading(page, 'Exports')).toBeVisible()
  await expect(reason).toHaveCount(0)
})
