import type { Locator } from '@playwright/test'
import { expectAccessible } from '#e2e/support/axe.ts'
import { expect, test as base } from '#e2e/support/connected.ts'
import { packSite } from '#e2e/support/pack-site.ts'
import { answered, chooseFromMenu, download, exportRow, follow, jobCard, startExport } from '#e2e/support/story.ts'

const test = base.extend<{ keyToUse: string | null }>({ keyToUse: [null, { option: true }] })

const domain = 'bare.example.com'

test('every page works with a service that supports only the base contract', async ({ page, service }) => {
  // Docket asks before the download of a bundle that it couldn't store.
  service.pack(await packSite({ 'index.html': '<h1>Hello</h1>' }))
  const row = await startExport(page, domain)
  expect(service.domains).toEqual([domain])
  await expect(row.getByText('Queued', { exact: true })).toBeVisible()
  service.stand({ status: 'running', progress: 40, pageCount: 12 })
  await expect(row.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40')
  await expect(row.getByText('12 pages')).toBeVisible()
  service.stand({ status: 'completed' })
  await expect(row.getByText('Completed', { exact: true })).toBeVisible()
  const { bytes } = await download(page, row)
  expect(bytes.equals(service.archive)).toBe(true)

  await follow(page, 'acme run-1')
  const card = jobCard(page, 'run-1')
  await expect(card.getByText('Working', { exact: true })).toBeVisible()
  service.finishAgentJob('https://github.com/acme/docs/pull/12')
  await expect(card.getByText('Ready for review', { exact: true })).toBeVisible()
  await expect(card.getByRole('link', { name: /acme\/docs\s*#12/ })).toHaveAttribute(
    'href',
    'https://github.com/acme/docs/pull/12',
  )
  await page.goto('/settings/connections')
  await expect(page.getByText('Connected', { exact: true }).first()).toBeVisible()
})

/** True when the reader sees all of `text` in `place`, and no ellipsis hides it. */
const isSeen = (place: Locator, text: string) =>
  place.evaluate((element, words) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const at = node.textContent?.indexOf(words) ?? -1
      if (at === -1) continue
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + words.length)
      const [cut, shown] = [node.parentElement!.closest('p')!.getBoundingClientRect(), range.getBoundingClientRect()]
      return shown.right <= cut.right + 1 && shown.bottom <= cut.bottom + 1
    }
    return false
  }, text)

test('at 360 px, a row shows why a check failed, and which response left the outcome of a start unknown', async ({
  page,
  service,
  tolerate,
}) => {
  tolerate(answered(502, 503))
  await page.setViewportSize({ width: 360, height: 740 })
  const row = await startExport(page, 'narrow.example.com')
  service.stand({ status: 'running', progress: 40, pageCount: 12 })
  await expect(row.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40')
  for (const [mood, cause] of [
    ['web page', 'it is a web page'],
    ['closed', 'nothing listens there'],
  ] as const) {
    await service.be(mood)
    await expect(row.getByText(cause)).toBeVisible()
    expect(await isSeen(row, cause)).toBe(true)
    await service.be('well')
    await expect(row.getByText(cause)).toHaveCount(0)
  }
  await service.be('faulty')
  const lost = await startExport(page, 'faulty.example.com')
  await expect(lost.getByText('Unknown outcome', { exact: true })).toBeVisible()
  expect(await isSeen(lost, 'The service reported an error (500).')).toBe(true)
  expect(await isSeen(lost, 'Out of disk')).toBe(true)
  await expect(lost.getByText(/no answer/i)).toHaveCount(0)

  await service.be('well')
  await follow(page, 'acme run-1')
  const card = jobCard(page, 'run-1')
  await expect(card.getByText('Working', { exact: true })).toBeVisible()
  await service.be('closed')
  await expect(card.getByText('nothing listens there')).toBeVisible()
  expect(await isSeen(card, 'nothing listens there')).toBe(true)
})

test.describe(() => {
  test.use({
    docketEnv: async ({ service, keyToUse }, use) => {
      await use({ ADMIN_API_URL: service.url, ADMIN_API_KEY: keyToUse ?? service.key })
    },
  })

  test('HTML responses, an unreachable service and a rejected key each show a remedy; rows stay, and recovery is noticed', async ({
    page,
    service,
    tolerate,
  }) => {
    tolerate(answered(502, 503))
    const row = await startExport(page, domain)
    const stands = async (progress: number) => {
      service.stand({ status: 'running', progress, pageCount: 12 })
      await expect(row.getByRole('progressbar')).toHaveAttribute('aria-valuenow', `${progress}`)
    }
    await stands(20)
    for (const { mood, title, remedy } of [
      {
        mood: 'web page',
        title: 'The service returns unexpected responses',
        remedy: /it is a web page\. .*Check ADMIN_API_URL/,
      },
      { mood: 'closed', title: 'Docket can’t reach the service', remedy: /Check ADMIN_API_URL and the network/ },
      { mood: 'key rejected', title: 'The service rejects the admin key', remedy: /ADMIN_API_KEY/ },
    ] as const) {
      const before = (await row.getByRole('progressbar').getAttribute('aria-valuenow')) ?? ''
      await service.be(mood)
      await expect(page.getByText(title)).toBeVisible()
      await expect(page.getByText(remedy).first()).toBeVisible()
      await page.reload()
      await expect(row.getByRole('progressbar')).toHaveAttribute('aria-valuenow', before)
      await expect(page.getByText('Please sign in')).toHaveCount(0)
      await service.be('well')
      if (mood === 'key rejected') break
      await stands(Number(before) + 20)
      await expect(page.getByText(title)).toHaveCount(0)
    }
    service.stand({ status: 'completed' })
    // Right after a refusal even a click waits some seconds, so a person presses again.
    await expect(async () => {
      await chooseFromMenu(row, 'Check now')
      await expect(row.getByText('Completed', { exact: true })).toBeVisible({ timeout: 5_000 })
    }).toPass()
    await expect(page.getByText('The service rejects the admin key')).toHaveCount(0)
  })

  test('every page shows that the service limits calls, and an export that it no longer knows keeps its last data', async ({
    page,
    service,
  }) => {
    const row = await startExport(page, domain)
    service.stand({ status: 'running', progress: 40, pageCount: 12 })
    await expect(row.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40')
    await service.be('too many requests')
    const notice = page.getByText('The service asked Docket to slow down')
    await expect(notice).toBeVisible()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Agent jobs' }).click()
    await expect(notice).toBeVisible()
    await page.goto('/settings/connections')
    const calls = page.getByRole('article')
    await expect(calls.getByText('Export calls are held back')).toBeVisible()
    await calls.getByText(/API calls? in the last hour/).click()
    await expect(calls.getByText(/\d calls? rate limited \(429\) in the last 24 hours/)).toBeVisible()
    const spent = calls.getByRole('meter', { name: 'Calls of the last hour' })
    await expect.poll(async () => Number(await spent.getAttribute('aria-valuenow'))).toBeGreaterThan(1)
    await expect(calls.getByRole('row').last().getByRole('cell').last()).not.toHaveText('0')
    await expect(calls.getByRole('region', { name: 'Next checks' }).getByRole('link')).toHaveText([domain])
    await expect(calls.getByRole('region', { name: 'Last calls' }).getByText('Start an export')).toBeVisible()
    await expectAccessible(page)

    service.stand({ status: 'running', progress: 60, pageCount: 12 })
    await service.be('well')
    await page.goto('/exports')
    await expect(row.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '60')
    await expect(notice).toHaveCount(0)

    await service.be('forgetful')
    await expect(row.getByText('Not found on service', { exact: true })).toBeVisible()
    await expect(row.getByRole('button', { name: /^Try again/ })).toBeVisible()
    await row.getByRole('link', { name: domain, exact: true }).click()
    await expect(page.getByText('The service no longer finds this job')).toBeVisible()
  })

  test('an admin can end a one-day pause that the service requested', async ({ page, service }) => {
    const row = await startExport(page, domain)
    await service.be('patient')
    await page.goto('/settings/connections')
    const pause = page.getByText(/asked Docket to wait 24 hours; Docket tries again after an hour/)
    await expect(pause.first()).toBeVisible()
    service.stand({ status: 'running', progress: 40, pageCount: 12 })
    await service.be('well')
    await page.getByRole('button', { name: 'Resume now' }).click()
    await expect(page.getByText('Export calls are held back')).toHaveCount(0)
    await page.goto('/exports')
    await expect(row.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40')
  })

  test.describe(() => {
    test.use({ keyToUse: 'adm_not-the-key' })

    test('with a wrong key from the start, an export is refused with the reason and no success is shown', async ({
      page,
      service,
    }) => {
      const row = await startExport(page, domain)
      await expect(row.getByText('Refused', { exact: true })).toBeVisible()
      await expect(page.getByText('The service rejects the admin key')).toBeVisible()
      expect(service.domains).toEqual([])
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click()
      await expect(page.getByRole('main').getByText('Key rejected', { exact: true }).first()).toBeVisible()
      await expect(exportRow(page, domain)).toHaveCount(0)
      await expect(page.getByText('adm_not-the-key')).toHaveCount(0)
    })
  })
})

test('a status that only this service uses is no running work; a person says what it means, and an admin can remove that', async ({
  page,
  service,
}) => {
  const row = await startExport(page, 'words.example.com')
  service.stand({ status: 'running', progress: 40 })
  await expect(row.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40')
  service.stand({ status: 'SUCCEEDED' })
  await expect(row.getByText('Docket doesn’t know this status.')).toBeVisible()
  await expect(row.getByRole('progressbar')).toHaveCount(0)
  await row.getByRole('link', { name: 'words.example.com' }).click()
  await expect(page.getByText('Docket doesn’t know the status “SUCCEEDED”')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Treat as completed' }).click()
  await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible()
  await page.goto('/settings/connections')
  const card = page.getByRole('article', { name: new URL(service.url).host })
  await card.getByText('Details', { exact: true }).click()
  await expect(page.getByText('succeeded means completed')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Forget succeeded' }).click()
  await expect(page.getByText('succeeded means completed')).toHaveCount(0)
})
