import type { Browser, BrowserContext, Page } from '@playwright/test'
import type { Docket } from '#e2e/support/docket-server.ts'

/** Somebody with an account and a password. */
export type Account = { name: string; email: string; password: string }

const send = async (docket: Docket, path: string, body: object, cookie = ''): Promise<Response> => {
  const response = await fetch(docket.plainUrl + path, {
    method: 'POST',
    headers: {
      origin: docket.plainUrl,
      'sec-fetch-site': 'same-origin',
      'x-docket': '1',
      'content-type': 'application/json',
      cookie,
    },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`)
  return response
}

let people = 0

/** Makes a person with an account, as by an invitation that was accepted somewhere else. */
export const addPerson = async (
  docket: Docket,
  role: 'viewer' | 'auditor' | 'operator' | 'admin',
): Promise<Account> => {
  people += 1
  const name = `${role} ${process.pid}-${people}`
  const account = { name, email: `${name.replace(' ', '.')}@example.com`, password: 'seven quiet herons wait' }
  const invited = await send(
    docket,
    '/api/users/invitations',
    { email: account.email, role },
    await docket.adminCookie(),
  )
  const { url } = (await invited.json()) as { url: string }
  await send(docket, '/api/links/use', { token: new URL(url).hash.slice(1), name, password: account.password })
  return account
}

/** Another browser, whose user is signed in nowhere. */
export const otherBrowser = (browser: Browser): Promise<BrowserContext> =>
  browser.newContext({ storageState: { cookies: [], origins: [] } })

/** Fills the sign-in form on screen and sends it. */
export const signIn = async (page: Page, { email, password }: Pick<Account, 'email' | 'password'>): Promise<void> => {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** As when somebody comes back to the tab: the page then asks who is signed in. */
export const comeBack = (page: Page): Promise<boolean> =>
  page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
