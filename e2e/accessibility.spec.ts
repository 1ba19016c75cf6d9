import type { Page } from '@playwright/test'
import { expectAccessible, expectNoAxeViolations } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/docket.ts'
import {
  answered,
  askForExport,
  chooseFromNewExport,
  chooseFromMenu,
  chooseFromPersonMenu,
  exportRow,
  exportRows,
  siteRow,
  follow,
  jobCard,
  jobPageId,
  openJob,
  openStartForm,
  noServer,
  startExport,
} from '#e2e/support/story.ts'

test.describe(() => {
  test.use({ ownDocket: true })

  test('pages are accessible when empty, with exports in every state, and while Docket isn’t responding', async ({
    page,
    docket,
    tolerate,
  }) => {
    tolerate((complaint) => answered(409)(complaint) || noServer(complaint))
    for (const path of [
      '/',
      '/exports',
      '/agent-jobs',
      '/activity',
      '/settings/connections',
      '/account',
      '/settings/people',
      '/settings/storage',
      '/no/such/page',
    ]) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('button', { name: /^Menu of / })).toBeVisible()
      await expectAccessible(page)
    }

    const states = [
      ['plan-refused.sentinel.test', 'Refused'],
      ['lost-answer.sentinel.test', 'Unknown outcome'],
      ['fails.sentinel.test', 'Failed'],
      ['docs.localhost', 'Completed'],
    ] as const
    for (const [domain] of states) await startExport(page, domain)
    for (const [domain, word] of states)
      await expect(exportRow(page, domain).getByText(word, { exact: true })).toBeVisible()
    const running = await startExport(page, 'slow-186.sentinel.test')
    await expect(running.getByRole('progressbar')).toBeVisible()
    await expectAccessible(page)
    await page.goto('/')
    await expect(siteRow(page, 'slow-186.sentinel.test')).toBeVisible()
    await expectAccessible(page)
    for (const domain of ['slow-186.sentinel.test', ...states.map(([name]) => name)]) {
      await page.goto('/exports')
      await exportRow(page, domain).getByRole('link', { name: domain, exact: true }).click()
      await expect(page.getByRole('heading', { level: 1, name: domain })).toBeVisible()
      await expectAccessible(page)
    }

    await startExport(page, 'docs.localhost')
    await expect(exportRows(page, 'docs.localhost').getByText('Completed', { exact: true })).toHaveCount(2)
    await page.goto('/exports')
    await expect(exportRow(page, 'slow-186.sentinel.test')).toBeVisible()
    await docket.stop()
    await expect(page.getByText('Docket isn’t responding').first()).toBeVisible()
    await expectAccessible(page)
    await (await openStartForm(page)).fill('')
    await page.getByRole('button', { name: 'Start export' }).click()
    await expect(page.getByText(/^Enter a domain, such as/)).toBeVisible()
    await askForExport(page, 'docs.localhost')
    await expect(page.getByText('No response to the start')).toBeVisible()
    await expectAccessible(page)
  })
})

test('the start form with all its fields and an error is accessible', async ({ page, tolerate }) => {
  tolerate(answered(400))
  await page.goto('/exports')
  await openStartForm(page)
  await page.getByRole('button', { name: 'Advanced' }).click()
  await askForExport(page, '*.example.com')
  await expect(page.getByText(/A wildcard names many sites/)).toBeVisible()
  await expectAccessible(page)
})

test('dialogs about exports are accessible', async ({ page, tolerate }) => {
  tolerate(answered(409))
  const running = await startExport(page, 'slow-185.sentinel.test')
  await expect(running.getByRole('progressbar')).toBeVisible()
  await askForExport(page, 'slow-185.sentinel.test')
  await expect(page.getByRole('dialog', { name: 'Already running' })).toBeVisible()
  await expectAccessible(page)
  for (const title of ['Already running', 'New export']) {
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name: title })).toHaveCount(0)
  }
  await expect(await chooseFromNewExport(page, 'Add by job ID')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await startExport(page, 'lost-answer.sentinel.test')
  await page
    .getByRole('button', { name: /^Decide/ })
    .first()
    .click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page)
})

test('the palette, the list of keys, an open menu and a message are accessible', async ({ page }) => {
  await follow(page, 'sentinel pull-request')
  await expect(jobCard(page, 'pull-request')).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Search or run a command' }).getByRole('option').first()).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await chooseFromPersonMenu(page, 'Keyboard shortcuts')
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await jobCard(page, 'pull-request')
    .getByRole('button', { name: /^More for/ })
    .click()
  await expect(page.getByRole('menuitem', { name: 'Remove from list' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await chooseFromMenu(jobCard(page, 'pull-request'), 'Remove from list')
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).focus()
  await expectAccessible(page)
})

test('agent jobs are accessible in every state, in lists and on their pages', async ({ page }) => {
  const ids = ['active', 'merge-request', 'no-pull-request', 'failed', 'archived', 'unknown-status', 'unsafe-links']
  await follow(page, [...ids, 'no-such-job'].map((id) => `sentinel ${id}`).join('\n'))
  for (const id of ids) await expect(jobCard(page, id)).toBeVisible()
  await expect(page.getByText(/no such job\./)).toBeVisible()
  await expectAccessible(page)
  for (const id of ['active', 'failed', 'unsafe-links']) {
    await page.goto(`/agent-jobs/sentinel/${id}`)
    await expect(jobPageId(page, id)).toBeVisible()
    await expectAccessible(page)
  }
})

test('pages are accessible in a narrow window and while paused', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await follow(page, 'sentinel active')
  await expect(jobCard(page, 'active')).toBeVisible()
  await chooseFromPersonMenu(page, 'Pause refreshing')
  await expect(page.getByText('Refreshing is paused.', { exact: false })).toBeVisible()
  await expectAccessible(page)
})

/** Colours of the system, in the words of the browser. */
const systemColours = (page: Page, ...names: string[]) =>
  page.evaluate(
    (wanted) =>
      wanted.map((name) => {
        const probe = document.body.appendChild(document.createElement('i'))
        probe.style.cssText = `forced-color-adjust: none; color: ${name}`
        const { color } = getComputedStyle(probe)
        probe.remove()
        return color
      }),
    names,
  )

test('progress, the current page, menus and the primary button stay visible with forced colours @story', async ({
  page,
}) => {
  const row = await startExport(page, 'slow-184.sentinel.test')
  const bar = row.getByRole('progressbar')
  await expect(bar).toBeVisible()
  await page.emulateMedia({ forcedColors: 'active' })
  const [highlight, text] = (await systemColours(page, 'Highlight', 'CanvasText')) as [string, string]
  expect(highlight).not.toBe(text)
  await expect(bar).toHaveCSS('border-top-width', '1px')
  await expect(bar).toHaveCSS('border-top-color', text)
  await expect(bar.locator('div')).toHaveCSS('background-color', highlight)
  for (const chosen of [
    page.getByRole('link', { name: 'Exports', exact: false }).and(page.locator('nav [aria-current=page]')).first(),
    page.getByRole('button', { name: 'New export', exact: true }),
  ])
    await expect(chosen).toHaveCSS('background-color', highlight)
  const dots = await row
    .getByRole('button', { name: /^More for/ })
    .evaluate((button) => getComputedStyle(button, '::before').backgroundImage)
  expect(dots).toContain('gradient')
  await expectNoAxeViolations(page, 'colours')
})

test('at 400 % zoom, no bar stays fixed over the page and nothing scrolls sideways @story', async ({ page }) => {
  await startExport(page, 'docs.localhost')
  await page.setViewportSize({ width: 320, height: 256 })
  for (const path of ['/', '/exports', '/agent-jobs', '/settings/connections', '/account']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const { fixed, sideways } = await page.evaluate(() => ({
      sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      fixed: [...document.querySelectorAll('header, nav')].filter(
        (bar) => bar.checkVisibility() && ['fixed', 'sticky'].includes(getComputedStyle(bar).position),
      ).length,
    }))
    expect({ path, fixed, sideways }).toEqual({ path, fixed: 0, sideways: 0 })
  }
  await page.goto('/exports')
  const send = (await chooseFromNewExport(page, 'Add by job ID')).getByRole('button', { name: 'Add export' })
  await send.scrollIntoViewIfNeeded()
  await expect(send).toBeInViewport({ ratio: 1 })
})

test('single-key shortcuts can be switched off for this browser in the list of keys and in the settings @story', async ({
  page,
}) => {
  await page.goto('/exports')
  const keys = page.getByRole('dialog', { name: 'Keyboard' })
  const single = page.getByRole('switch', { name: 'Single-key shortcuts' })
  await expect(page.getByRole('button', { name: 'New export', exact: true })).toBeVisible()
  await page.keyboard.press('?')
  await expect(keys.getByText('Filter the list')).toBeVisible()
  await single.click()
  await expect(single).not.toBeChecked()
  await expect(keys.getByText('Filter the list')).toBeHidden()
  await page.keyboard.press('Escape')

  await page.reload()
  await expect(page.getByRole('button', { name: 'New export', exact: true })).toBeVisible()
  for (const key of ['r', 'n', '/', 'g', 's', '?']) {
    await page.keyboard.press(key)
    expect(await page.evaluate(() => document.activeElement?.tagName), key).toBe('BODY')
  }
  await expect(page).toHaveURL(/\/exports$/)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Search or run a command' })).toBeVisible()
  await page.keyboard.press('Escape')

  await page.goto('/account')
  await single.click()
  await page.keyboard.press('?')
  await expect(keys.getByText('Filter the list')).toBeVisible()
})

test('keys pressed before a menu has its items reach them', async ({ page }) => {
  await follow(page, 'sentinel no-pull-request')
  const menu = jobCard(page, 'no-pull-request').getByRole('button', { name: /^More for/ })
  // The browser says that a menu is open only after the script has ended.
  await menu.evaluate((button: HTMLElement) => {
    button.focus()
    button.click()
    button.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp', bubbles: true }))
  })
  await expect(page.getByRole('menuitem', { name: 'Remove from list' })).toBeFocused()
})

test('focus moves to the next row after a removal, to the restored row after Undo, and to the list from a details page @story', async ({
  page,
}) => {
  await follow(page, 'sentinel failed\nsentinel merge-request\nsentinel no-pull-request')
  const menu = (id: string) => jobCard(page, id).getByRole('button', { name: /^More for/ })
  const removeFromList = async (id: string) => {
    await menu(id).press('Enter')
    await page.keyboard.press('ArrowUp')
    await expect(page.getByRole('menuitem', { name: 'Remove from list' })).toBeFocused()
    await page.keyboard.press('Enter')
  }
  for (const id of ['failed', 'merge-request', 'no-pull-request']) await expect(menu(id)).toBeVisible()
  const ids = await page
    .locator('main article')
    .evaluateAll((rows) => rows.map((row) => (JSON.parse(row.dataset['record']!) as string[]).at(-1)!))
  const [before, removed, after] = ids.slice(-3) as [string, string, string]
  await removeFromList(removed)
  await expect(menu(after)).toBeFocused()
  await removeFromList(after)
  await expect(menu(before)).toBeFocused()
  await page.keyboard.press('F8')
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).last().press('Enter')
  await expect(menu(after)).toBeFocused()

  await openJob(page, after)
  await chooseFromMenu(page, 'Remove from list')
  await expect(page).toHaveURL(/\/agent-jobs$/)
  await expect(page.getByRole('main')).toBeFocused()
})
