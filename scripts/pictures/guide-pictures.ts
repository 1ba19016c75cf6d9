import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { openBusyDocket, publishedDomain } from '#bench/harness/busy-docket.ts'
import { findBrowser } from '#e2e/support/browser.ts'
import { launchFlags } from '#e2e/support/launch-flags.ts'
import { signedInContext } from './signed-in.ts'

// Takes the pictures of `docs/guide/week.md` anew. Records are as old in every run, so only ids and the address differ.
const folder = join(import.meta.dirname, '..', '..', 'docs', 'guide', 'images')
mkdirSync(folder, { recursive: true })

const { docket, exportId, close } = await openBusyDocket({ exports: 8, jobs: 0 })
const browser = await chromium.launch({ executablePath: await findBrowser(), args: launchFlags })
const context = await signedInContext(browser, docket, {
  viewport: { width: 1080, height: 620 },
  colorScheme: 'light',
  reducedMotion: 'reduce',
})
const page = await context.newPage()

const take = async (name: string, ready: (page: Page) => Promise<void>): Promise<void> => {
  await ready(page)
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null)
  await page.screenshot({ path: join(folder, `week-${name}.png`), animations: 'disabled', caret: 'hide' })
}

const button = (name: string | RegExp) => page.getByRole('button', { name }).first()

try {
  await take('exports', async () => {
    await page.goto(`${docket.url}/exports`)
    await page.locator('main').getByText(publishedDomain).first().waitFor()
  })
  await take('changes', async () => {
    await page.goto(`${docket.url}/exports/${exportId}/changes`)
    await page.locator('main').getByText('Handbook').first().waitFor()
  })
  await take('publish', async () => {
    await page.goto(`${docket.url}/exports/${exportId}`)
    await button('Publish').click()
    await page.getByRole('dialog').getByText('Checks before publishing').first().waitFor()
  })
  await take('roll-back', async () => {
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Publish/ })
      .click()
    await page.getByRole('dialog').getByText('Published', { exact: true }).waitFor()
    const { sites } = await docket
      .client(await docket.adminCookie())
      .ask<{ sites: { siteId: string; name: string }[] }>('GET', '/api/sites')
    await page.goto(`${docket.url}/sites/${sites.find(({ name }) => name === publishedDomain)!.siteId}`)
    await button(/^Roll back/).click()
    await button('Roll back to release 1').waitFor()
  })
} finally {
  await browser.close()
  await close()
}
