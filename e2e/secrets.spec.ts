import type { Page, Response } from '@playwright/test'
import { expect, test } from '#e2e/support/docket.ts'
import {
  readAdminKey,
  chooseFromMenu,
  createAgentJob,
  download,
  follow,
  jobCard,
  expectMessage,
  startExport,
} from '#e2e/support/story.ts'

const whatThePageHolds = (page: Page) =>
  page.evaluate(async () => {
    const stored = JSON.stringify([localStorage, sessionStorage, document.cookie, history.state])
    const cached = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
    return [document.documentElement.outerHTML, stored, cached.flat().map(({ url }) => url), location.href].join('\n')
  })

test('no page, browser storage or response contains the admin key or a bundle link, except the requested link @story', async ({
  page,
  context,
  docket,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: docket.url })
  const answers: { url: string; method: string; text: Promise<string> }[] = []
  page.on('response', (response: Response) => {
    const url = new URL(response.url()).pathname
    if (!url.startsWith('/api/') || url.endsWith('/download')) return
    const headers = JSON.stringify(response.headers())
    // A poll that a navigation cut off has no body.
    const text = response.text().then(
      (body) => `${headers}\n${body}`,
      () => headers,
    )
    answers.push({ url, method: response.request().method(), text })
  })
  const key = readAdminKey(docket)
  const linkMark = '/storage/bundles/'
  const secrets = [key, linkMark, 'signature=']
  const holdsSecret = (text: string) => secrets.some((secret) => text.includes(secret))
  expect(key.length).toBeGreaterThan(20)

  const row = await startExport(page, 'docs.localhost')
  await expect(row.getByText('Completed', { exact: true })).toBeVisible()
  await download(page, row)
  const contents = [await whatThePageHolds(page)]
  await chooseFromMenu(row, 'Copy secret download link…')
  await expectMessage(page, /Secret link copied/)
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toContain(linkMark)
  contents.push(await whatThePageHolds(page))
  const line = await createAgentJob(docket, 'Replace "Docket" with "The console"')
  await follow(page, line)
  await expect(jobCard(page, line.split(' ')[1]!).getByText('Ready for review', { exact: true })).toBeVisible()
  contents.push(await whatThePageHolds(page))
  for (const path of ['/', '/exports', '/settings/about', '/settings/connections']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('button', { name: /^Menu of / })).toBeVisible()
    contents.push(await whatThePageHolds(page))
  }
  expect(contents.filter(holdsSecret)).toEqual([])

  const leaks: string[] = []
  for (const { url, method, text } of answers) if (holdsSecret(await text)) leaks.push(`${method} ${url}`)
  expect(leaks).toHaveLength(1)
  expect(leaks[0]).toMatch(/^POST \/api\/static-exports\/[0-9a-f-]{36}\/bundle$/)
  expect(holdsSecret(docket.readOutput())).toBe(false)
})
