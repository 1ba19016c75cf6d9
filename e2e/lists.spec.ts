import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, test } from '#e2e/support/connected.ts'
import { answered, askForExport, exportRow, jobCard, openJob } from '#e2e/support/story.ts'

/** Address of a list that shows one connection alone. */
const only = (connection: string, path: string) => {
  const url = new URL(path, 'http://docket.localhost')
  url.searchParams.set('connection', connection)
  return url.pathname + url.search
}

/** Follows the jobs `many-<first>` to `many-<last>`, as a script of an operator would. */
const followMany = async (page: Page, first: number, last: number): Promise<void> => {
  const followed = await page.evaluate(
    async ([from, to]) => {
      const headers = { 'content-type': 'application/json', 'x-docket': '1' }
      let done = 0
      for (let start = from; start <= to; start += 50) {
        const numbers = Array.from({ length: Math.min(50, to - start + 1) }, (_, index) => start + index)
        const jobs = numbers.map((number) => ({ projectId: 'acme', id: `many-${number}` }))
        const response = await fetch('/api/agent-jobs', { method: 'POST', headers, body: JSON.stringify({ jobs }) })
        const { results } = (await response.json()) as { results: { job: object | null }[] }
        done += results.filter(({ job }) => job !== null).length
      }
      return done
    },
    [first, last] as const,
  )
  expect(followed).toBe(last - first + 1)
}

const rows = (page: Page) => page.getByRole('list', { name: 'All jobs' }).getByRole('article')
const states = (page: Page) => page.getByRole('combobox', { name: 'State' })
const state = (page: Page, name: RegExp) => states(page).getByRole('option', { name, includeHidden: true })
const chooseState = async (page: Page, name: RegExp) => {
  await states(page).selectOption((await state(page, name).getAttribute('value')) ?? '')
}
const unfold = (page: Page) => page.getByRole('button', { name: /^Filters/ }).click()
/** What the address asks of the list, without the connection. */
const query = (page: Page) => new URL(page.url()).search.replace(/[?&]connection=[^&]*/, '').replace(/^&/, '?')

test('a list can be filtered by its controls and by its address, and reload and Back keep the filters', async ({
  page,
  connection,
}) => {
  await page.goto('/agent-jobs')
  await followMany(page, 1, 60)
  await page.goto(
    only(
      connection,
      '/agent-jobs?sort=oldest&repository=https%3A%2F%2Fgithub.com%2Facme%2Fhandbook&group=no-such-group',
    ),
  )
  await expect(page.getByText('30 match')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Repository' })).toHaveValue('https://github.com/acme/handbook')

  await chooseState(page, /^Failed 6/)
  await expect(page.getByText('6 match')).toBeVisible()
  await expect(rows(page)).toHaveCount(6)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  expect(query(page)).toBe('?sort=oldest')
  await page.goBack()
  await expect(rows(page)).toHaveCount(6)
  await page.reload()
  await expect(rows(page)).toHaveCount(6)
  await expect(states(page)).toHaveValue('failed')

  await page.goto(only(connection, '/agent-jobs'))
  await expect(rows(page).first()).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('many 2', { delay: 40 })
  await expect(page.getByRole('searchbox', { name: 'Filter agent jobs' })).toBeFocused()
  await expect(page.getByText('11 match')).toBeVisible()
  expect(query(page)).toBe('?q=many+2')
  await page.keyboard.type('7 nowhere')
  await expect(page.getByText('No job matches these filters.')).toBeVisible()
  await page.getByRole('button', { name: 'Show all agent jobs' }).click()
  await unfold(page)
  const attention = page.getByRole('button', { name: /^Needs attention \d+$/ })
  const count = /\d+/.exec((await attention.textContent()) ?? '')![0]
  await attention.click()
  await expect(page.getByText(`${count} match`)).toBeVisible()
  await expectAccessible(page)
})

test('a user can save the filters of a list under a name, open them by a link, and change them later', async ({
  page,
  tolerate,
}) => {
  tolerate(answered(409))
  await page.goto('/agent-jobs?attention=true')
  const views = page.getByRole('button', { name: /^Views/ })
  const panel = page.getByRole('dialog', { name: 'Saved views' })
  const saveView = panel.getByRole('button', { name: 'Save this view…' })
  const name = panel.getByRole('textbox', { name: 'Name of the view' })
  const choose = async (view: string, action: string) => {
    await panel.getByRole('button', { name: `Actions for the view ${view}` }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  await expect(views).toBeHidden()
  await unfold(page)
  await views.click()
  await saveView.click()
  await name.fill('To do')
  await name.press('Enter')
  await expect(views).toHaveAccessibleName('Views: To do')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox', { name: 'Filter agent jobs' }).fill('other')
  await expect(views).toHaveAccessibleName('Views')
  await views.click()
  const link = panel.getByRole('link', { name: 'To do' })
  await expect(link).toHaveAttribute('href', '/agent-jobs?attention=true')
  await link.click()
  await expect(panel).toBeHidden()
  await expect(page).toHaveURL(/\?attention=true$/)

  await page.getByLabel('Order').selectOption('Oldest first')
  await views.click()
  await saveView.click()
  await name.fill('to DO')
  await name.press('Enter')
  await expect(panel.getByRole('alert')).toHaveText('You have a view with this name already.')
  await expect(name).toHaveValue('to DO')
  await panel.getByRole('button', { name: 'Cancel' }).click()
  await expect(saveView).toBeFocused()
  await choose('To do', 'Update to these filters')
  await expect(link).toHaveAttribute('href', '/agent-jobs?sort=oldest&attention=true')
  await choose('To do', 'Rename')
  await name.fill('Broken')
  await name.press('Enter')
  await expect(views).toHaveAccessibleName('Views: Broken')
  await choose('Broken', 'Delete')
  await expect(panel.getByText('No saved views yet.')).toBeVisible()
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' }).click()
  await expect(views).toHaveAccessibleName('Views: Broken')
})

test('a list of hundreds of rows loads without gaps, keeps focus and scroll position, and renders few rows at a time @story', async ({
  page,
  connection,
}) => {
  await page.goto('/agent-jobs')
  await followMany(page, 1, 320)
  await page.goto(only(connection, '/agent-jobs'))
  const focused = rows(page).first().getByRole('heading').getByRole('link')
  await focused.focus()
  await focused.evaluate((link) => (link.dataset['first'] = ''))

  // Every place that is ever shown with its record, on the way down by steps shorter than the window.
  const { places, elements } = await page.evaluate(async () => {
    const labels = new Set<string>()
    let maxElements = 0
    const waitForPaint = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const isMore = () =>
      [...document.querySelectorAll('main button')].some((button) => button.textContent === 'Load more')
    for (let steps = 0; steps < 1_000; steps += 1) {
      for (const row of document.querySelectorAll('[role="listitem"][aria-posinset]')) {
        const label = row.querySelector('article')?.dataset['record']
        if (label) labels.add(`${row.ariaPosInSet} ${label}`)
      }
      maxElements = Math.max(maxElements, document.querySelectorAll('main *').length)
      // While a page is loaded the button has other words, so the end is where all of them were seen.
      const isEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1
      if (isEnd && !isMore() && labels.size >= 320) break
      scrollBy(0, 500)
      await waitForPaint()
    }
    return { places: [...labels], elements: maxElements }
  })
  const inOrder = places.map((text) => Number(text.split(' ')[0])).toSorted((x, y) => x - y)
  expect(inOrder).toEqual(Array.from({ length: 320 }, (_, index) => index + 1))
  expect(new Set(places.map((text) => text.split(' ').at(-1))).size).toBe(320)
  // Thirty rows, each with the mark of its connection, and what stands above them.
  expect(elements).toBeLessThanOrEqual(700)
  await expect(page.locator('[data-first]')).toBeFocused()

  const id = (JSON.parse((await rows(page).last().getAttribute('data-record'))!) as string[]).at(-1)!
  await openJob(page, id)
  await page.goBack()
  await expect(jobCard(page, id)).toBeInViewport()
  await page.reload()
  await expect(jobCard(page, id)).toBeInViewport()
})

test('while the user reads a list, new rows wait until requested, and no row moves @story', async ({
  page,
  connection,
}) => {
  await page.goto('/agent-jobs')
  await followMany(page, 1, 60)
  await page.goto(only(connection, '/agent-jobs'))
  await expect(rows(page).first()).toBeVisible()
  await page.evaluate(() => scrollTo(0, 1600))
  // The point may be on the line between two rows, which is no part of either article.
  const name = () =>
    page.evaluate(
      () => document.elementFromPoint(600, 300)?.closest('[role="listitem"]')?.querySelector('article')?.ariaLabel,
    )
  await expect.poll(name).toMatch(/^Agent job/)
  const row = page.getByRole('article', { name: (await name()) ?? '', exact: true })
  const before = await row.boundingBox()
  await followMany(page, 61, 62)
  const more = page.getByRole('button', { name: 'Show 2 new jobs' })
  await expect(more).toBeVisible()
  expect(await row.boundingBox()).toEqual(before)
  await more.click()
  await expect(jobCard(page, 'many-61')).toBeInViewport()
})

/** Rows whose whole height is in the window, above what lies over its foot. */
const countWholeRows = (page: Page) =>
  page.evaluate(() => {
    const bar = document.querySelector('nav[aria-label="Main"]')?.getBoundingClientRect()
    const foot = bar && bar.top > innerHeight / 2 ? bar.top : innerHeight
    return [...document.querySelectorAll('main [role="listitem"]')].filter(
      (row) => row.getBoundingClientRect().bottom <= foot,
    ).length
  })

test('the first screen of a long list is rows: few controls come before them @story', async ({ page, connection }) => {
  await page.goto('/agent-jobs')
  await followMany(page, 1, 300)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(only(connection, '/agent-jobs'))
  await expect(rows(page).first()).toBeVisible()
  await expect
    .poll(() =>
      rows(page)
        .first()
        .evaluate((row) => row.getBoundingClientRect().height),
    )
    .toBe(48)
  expect(await countWholeRows(page)).toBeGreaterThanOrEqual(11)
  await page.setViewportSize({ width: 360, height: 780 })
  await expect.poll(() => countWholeRows(page)).toBeGreaterThanOrEqual(5)
  await page.setViewportSize({ width: 1440, height: 900 })

  const before = await page.getByRole('region', { name: 'All jobs' }).evaluate((region) => {
    const row = region.querySelector('[role="listitem"]')!
    return [...region.querySelectorAll<HTMLElement>('a[href], button, input, select')].filter(
      (control) => control.checkVisibility() && control.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING,
    ).length
  })
  expect(before).toBeLessThanOrEqual(4)
})

const selectRow = (page: Page, title: string) =>
  page.getByRole('checkbox', { name: `Select agent job ${title}`, exact: true })
const messages = (page: Page) => page.getByRole('region', { name: 'Notifications' })

test('jobs selected by keyboard and Shift stay selected while new ones appear, and removing them has one Undo @story', async ({
  page,
  connection,
}) => {
  await page.goto('/agent-jobs')
  await followMany(page, 1, 30)
  await page.goto(only(connection, '/agent-jobs?q=many'))
  await expect(state(page, /^Failed 3/)).toHaveCount(1)
  await selectRow(page, 'branch-1').focus()
  await page.keyboard.press('Space')
  const bar = page.getByRole('group', { name: 'Selected jobs' })
  await expect(bar.getByText('1 selected')).toBeVisible()
  await followMany(page, 31, 31)
  await expect(page.getByRole('button', { name: 'Show 1 new job' })).toBeVisible()
  await selectRow(page, 'branch-4').click({ modifiers: ['Shift'] })
  await expect(bar.getByText('4 selected')).toBeVisible()
  await expectAccessible(page)

  await bar.getByRole('button', { name: 'Remove (4)' }).click()
  await expect(messages(page).getByText('Removed 4 jobs.')).toBeVisible()
  await expect(bar).toBeHidden()
  await expect(page.locator('.select-box:focus')).toHaveCount(1)
  await expect(state(page, /^Removed 4/)).toHaveCount(1)
  await messages(page).getByRole('button', { name: 'Undo' }).click()
  await expect(state(page, /^Removed/)).toHaveCount(0)
  await selectRow(page, 'branch-2').check()
  await page.getByRole('searchbox', { name: 'Filter agent jobs' }).fill('many 2')
  await expect(state(page, /^All 11/)).toHaveCount(1)
  await expect(bar).toBeHidden()

  await unfold(page)
  await page.getByRole('combobox', { name: 'Dates' }).selectOption('Today')
  await expect.poll(() => query(page)).toBe('?q=many+2&dates=today')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV (11)' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^docket-agent-jobs-\d{4}-\d\d-\d\d\.csv$/)
  expect(
    readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\r\n'),
  ).toHaveLength(12)
  await page.getByRole('combobox', { name: 'Dates' }).selectOption('From – to…')
  await page.getByLabel('To', { exact: true }).fill('2026-01-31')
  await expect(page.getByText('No job matches these filters.')).toBeVisible()
  expect(query(page)).toBe('?q=many+2&dates=..2026-01-31')
})

test('failed exports can be retried together, each exactly once, failures show a reason, and removals can be undone', async ({
  page,
  service,
  connection,
  tolerate,
}) => {
  // The start of an export that runs already.
  tolerate(({ text }) => text.includes('409 (Conflict)'))
  service.stand({ status: 'failed' })
  await page.goto(only(connection, '/exports'))
  const started = ['a.example', 'b.example', 'c.example']
  for (const domain of started) {
    await askForExport(page, domain)
    await expect(exportRow(page, domain)).toBeVisible()
  }
  await expect(state(page, /^Failed 3/)).toHaveCount(1)
  service.stand({ status: 'running', progress: 10 })
  await exportRow(page, 'a.example').getByRole('button', { name: 'Try again' }).click()
  await expect(state(page, /^Running 1/)).toHaveCount(1)

  await chooseState(page, /^Failed 3/)
  await expect(page.getByRole('checkbox', { name: /^Select/ })).toHaveCount(3)
  await page.getByRole('checkbox', { name: 'Select export of b.example' }).check()
  const bar = page.getByRole('group', { name: 'Selected exports' })
  await bar.getByRole('button', { name: 'Select all 3 loaded' }).click()
  await bar.getByRole('button', { name: 'Try again (3)' }).click()
  await expect(messages(page).getByText('Started 2 exports.')).toBeVisible()
  await expect(bar.getByRole('listitem')).toContainText(['a.example'])
  await expect(bar.getByText('1 selected')).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Select export of a.example' })).toBeChecked()
  expect(service.domains.toSorted()).toEqual([...started, ...started].toSorted())

  await bar.getByRole('button', { name: 'Remove (1)' }).click()
  await chooseState(page, /^Removed 1/)
  const removed = exportRow(page, 'a.example')
  await expect(removed.getByText(/^Removed .* · deleted for good after /)).toBeVisible()
  await expectAccessible(page)
  await removed.getByRole('button', { name: 'Restore' }).click()
  await expect(messages(page).getByText('Restored a.example.')).toBeVisible()
  await chooseState(page, /^Failed 3/)
  await expect(exportRow(page, 'a.example')).toBeVisible()
})
