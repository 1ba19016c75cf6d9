import type { BrowserContext, Page } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/docket.ts'
import { startExport } from '#e2e/support/story.ts'

declare global {
  interface Window {
    shownNotifications: Notification[]
  }
}

const findPanel = (page: Page) => page.getByRole('dialog', { name: 'Activity' })

test('every page shows what is running, and announces its end with a link', async ({ page }) => {
  const domain = 'slow-30.sentinel.test'
  await startExport(page, domain)
  await page.goto('/settings/about')
  const button = page.getByRole('button', { name: /^Activity/ })
  await expect(button).toHaveText(/\d running/)
  await button.click()
  const panel = findPanel(page)
  const running = panel.getByRole('list', { name: 'Running now' }).getByRole('listitem').filter({ hasText: domain })
  await expect(running.getByRole('progressbar')).toBeVisible()
  await expectAccessible(page)
  const ended = panel.getByRole('list', { name: 'Recently ended' }).getByRole('link', { name: domain })
  await expect(ended.first()).toContainText('Completed')
  await expect(running).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(button).toBeFocused()
  await page.keyboard.press('r')
  await ended.first().click()
  await expect(page.getByRole('heading', { level: 1, name: domain })).toBeVisible()
  await expect(panel).toBeHidden()
  await page.keyboard.press('r')
  await panel.getByRole('link', { name: 'See all' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible()
  await expect(panel).toBeHidden()
  const today = page.getByRole('main').getByRole('list', { name: /^Ended: / })
  await expect(today.getByRole('link', { name: domain }).first()).toContainText('Completed')
  await expect(page).toHaveTitle(/Activity · Docket$/)
  await expectAccessible(page)
})

/** Keeps every notification that a page shows, so that a test can count and press them. */
const keepNotifications = (context: BrowserContext) =>
  context.addInitScript(() => {
    window.shownNotifications = []
    window.Notification = class extends Notification {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options)
        window.shownNotifications.push(this)
      }
    }
  })

const titlesIn = async (pages: readonly Page[], domain: string): Promise<string[]> => {
  const texts = await Promise.all(
    pages.map((tab) => tab.evaluate(() => window.shownNotifications.map(({ title }) => title))),
  )
  return texts.flat().filter((title) => title.includes(domain))
}

test('a notification of an ended record appears once across all tabs, opens the record, and is not repeated @story', async ({
  page,
  context,
  docket,
}) => {
  await context.grantPermissions(['notifications'], { origin: docket.url })
  await keepNotifications(context)
  const [first, second] = ['slow-05.sentinel.test', 'slow-005.sentinel.test'] as const
  await page.goto('/account')
  const wanted = page.getByRole('main').getByRole('switch', { name: 'Desktop notifications' })
  await expect(wanted).not.toBeChecked()
  await wanted.click()
  await expect(wanted).toBeChecked()
  const other = await context.newPage()
  await startExport(other, first)
  await expect.poll(() => titlesIn([page, other], first)).toEqual([`${first}: completed`])

  await page.evaluate(() => window.shownNotifications.at(-1)?.dispatchEvent(new Event('click')))
  await expect(page.getByRole('heading', { level: 1, name: first })).toBeVisible()
  await page.close()
  await startExport(other, second)
  await expect.poll(() => titlesIn([other], second)).toEqual([`${second}: completed`])
  expect(await titlesIn([other], first)).toEqual([])
})
