import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { findBrowser } from '#e2e/support/browser.ts'
import { openBusyDocket } from '#bench/harness/busy-docket.ts'
import { startDocket, type Docket } from '#e2e/support/docket-server.ts'
import { launchFlags } from '#e2e/support/launch-flags.ts'
import { signedInContext } from './signed-in.ts'

const [, , folder] = process.argv
if (folder === undefined) {
  console.log(
    'node scripts/pictures/screenshots.ts FOLDER\n\nTakes a picture of every page, wide and narrow, light and dark, empty and with 300 exports.',
  )
  process.exit(1)
}
mkdirSync(folder, { recursive: true })

const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 360, height: 780 } } as const
const pages = {
  home: '/',
  exports: '/exports',
  'agent-jobs': '/agent-jobs',
  pulls: '/agent-jobs/pulls',
  prompts: '/agent-jobs/prompts',
  activity: '/activity',
  connections: '/settings/connections',
  people: '/settings/people',
  tokens: '/settings/tokens',
  storage: '/settings/storage',
  audit: '/settings/audit',
  about: '/settings/about',
  account: '/account',
} as const

/** Takes one picture, once the page shows nothing that is still loading. */
const take = async (page: Page, url: string, name: string): Promise<void> => {
  await page.goto(url)
  await page.locator('main h1').first().waitFor()
  await page.waitForFunction(() => document.querySelector('main [aria-busy="true"]') === null)
  await page.waitForTimeout(500)
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
}

const browser = await chromium.launch({ executablePath: await findBrowser(), args: launchFlags })

const takeAll = async (docket: Docket, state: string, addresses: Readonly<Record<string, string>>): Promise<void> => {
  for (const [size, viewport] of Object.entries(sizes))
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await signedInContext(browser, docket, { viewport, colorScheme, reducedMotion: 'reduce' })
      const page = await context.newPage()
      for (const [name, path] of Object.entries(addresses))
        await take(page, docket.url + path, `${name}-${state}-${size}-${colorScheme}`).catch((error: unknown) =>
          console.error(`${name}-${state}: ${String(error).split('\n')[0]}`),
        )
      await context.close()
    }
}

try {
  const site = join(import.meta.dirname, '..', '..', 'e2e', 'fixture')
  const empty = await startDocket({ LOCAL_SITES: `docs.localhost=${site}` })
  await takeAll(empty, 'empty', pages).finally(empty.dispose)

  const busy = await openBusyDocket({ exports: 298, jobs: 300 })
  try {
    const client = busy.docket.client(await busy.docket.adminCookie())
    const find = async (group: string) =>
      (await client.ask<{ items: { exportId: string }[] }>('GET', `/api/static-exports?group=${group}`)).items[0]
        ?.exportId
    const [failed, running] = [await find('failed'), await find('active')]
    const { sites } = await client.ask<{ sites: { siteId: string }[] }>('GET', '/api/sites')
    const job = (await client.ask<{ items: { projectId: string; id: string }[] }>('GET', '/api/agent-jobs')).items[0]!
    await takeAll(busy.docket, 'busy', {
      ...pages,
      export: `/exports/${busy.exportId}`,
      'export-changes': `/exports/${busy.exportId}/changes`,
      'export-findings': `/exports/${busy.exportId}/findings`,
      'export-contents': `/exports/${busy.exportId}/contents`,
      'export-history': `/exports/${busy.exportId}/history`,
      'export-failed': `/exports/${failed}`,
      'export-running': `/exports/${running}`,
      site: `/sites/${sites[0]!.siteId}`,
      'site-releases': `/sites/${sites[0]!.siteId}/releases`,
      'site-delivery': `/sites/${sites[0]!.siteId}/delivery`,
      'site-trends': `/sites/${sites[0]!.siteId}/trends`,
      'site-settings': `/sites/${sites[0]!.siteId}/settings`,
      'agent-job': `/agent-jobs/${job.projectId}/${job.id}`,
    })
    busy.service.changeKey('adm_another-key-of-the-service')
    await busy.docket.restart()
    await takeAll(busy.docket, 'failing', { home: '/', exports: '/exports', connections: '/settings/connections' })
  } finally {
    await busy.close()
  }
} finally {
  await browser.close()
}
