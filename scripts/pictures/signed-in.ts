import type { Browser, BrowserContext, BrowserContextOptions } from '@playwright/test'
import type { Docket } from '#e2e/support/docket-server.ts'

/** A browser of a Docket's first admin, in English and UTC. */
export const signedInContext = async (
  browser: Browser,
  docket: Docket,
  options: BrowserContextOptions,
): Promise<BrowserContext> => {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...options })
  const [name = '', value = ''] = (await docket.adminCookie()).split('=', 2)
  await context.addCookies([{ name, value, url: docket.url, httpOnly: true, sameSite: 'Strict' }])
  return context
}
