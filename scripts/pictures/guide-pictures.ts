import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { chromium, type Locator } from '@playwright/test'
import { openBusyDocket, publishedDomain } from '#bench/harness/busy-docket.ts'
import { callApi } from '#e2e/support/api.ts'
import { findBrowser } from '#e2e/support/browser.ts'
import { launchFlags } from '#e2e/support/launch-flags.ts'
import { signedInContext } from './signed-in.ts'

// Takes the pictures of `docs/guide/week.md` and of the README anew, from a Docket with the same records in every run.
const docs = join(import.meta.dirname, '..', '..', 'docs')
const sizes = { guide: { width: 1080, height: 620 }, readme: { width: 1280, height: 800 } }

const { docket, service, connectionId, exportId, close } = await openBusyDocket({ exports: 14, jobs: 0, active: 0 })
const browser = await chromium.launch({ executablePath: await findBrowser(), args: launchFlags })
try {
  const context = await signedInContext(browser, docket, { colorScheme: 'light', reducedMotion: 'reduce' })
  const page = await context.newPage()
  const main = page.locator('main')
  const dialog = page.getByRole('dialog')

  const open = async (path: string, ready: Locator, size: keyof typeof sizes = 'guide') => {
    await page.setViewportSize(sizes[size])
    await page.goto(docket.url + path)
    await ready.first().waitFor()
  }
  const take = async (picture: string) => {
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'hidden' })
    await page.evaluate(() => document.fonts.ready)
    const path = join(docs, picture)
    mkdirSync(dirname(path), { recursive: true })
    await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
    console.log(path)
  }
  /** Presses what is on the page, or else in the menu of `within`. */
  const choose = async (name: RegExp, within: Locator) => {
    const here = within.getByRole('button', { name })
    const menu = within.getByRole('button', { name: /^More for / })
    await here.or(menu).first().waitFor()
    if (await here.first().isVisible()) return here.first().click()
    await menu.first().click()
    await page.getByRole('menuitem', { name }).click()
  }

  service.stand({ status: 'running', progress: 62, pageCount: 39 })
  const body = { requestId: randomUUID(), connectionId, domain: 'docs.acme.example.com' }
  await callApi(docket, '/api/static-exports', { body })
  const published = main.getByText(publishedDomain)
  await open('/exports', published, 'readme')
  await main.getByText('62 %').first().waitFor()
  await take('images/exports.png')
  await open('/exports', published)
  await take('guide/images/week-export.png')
  await open(`/exports/${exportId}/changes`, main.getByText('Handbook'))
  await take('guide/images/week-changes.png')
  await open(`/exports/${exportId}`, main.getByRole('button', { name: 'Publish', exact: true }))
  await choose(/^Publish$/, main)
  await dialog.getByText('Checks before publishing').first().waitFor()
  await take('guide/images/week-publish.png')
  const released = page.waitForResponse((response) => response.url().endsWith('/releases') && response.ok())
  await dialog.getByRole('button', { name: /^Publish/ }).click()
  await released
  const { sites } = (await (await callApi(docket, '/api/sites')).json()) as {
    sites: { siteId: string; name: string }[]
  }
  const { siteId } = sites.find(({ name }) => name === publishedDomain)!
  await open(`/sites/${siteId}`, main.getByRole('heading', { name: publishedDomain }))
  await choose(/^Roll back/, main)
  await dialog.getByRole('button', { name: /^Roll back to release 1/ }).waitFor()
  await take('guide/images/week-roll-back.png')
} finally {
  await browser.close()
  await close()
}
