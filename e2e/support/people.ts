import type { Browser, BrowserContext, Page } from '@playwright/test'
import { callApi } from '#e2e/support/api.ts'
import type { Docket } from '#e2e/support/docket-server.ts'

/** Somebody with an account and a password. */
export type Account = { name: string; email: string; password: string }

let people = 0

/** Makes a person with an account, as by an invitation that was accepted somewhere else. */
export const addPerson = async (
  docket: Docket,
  role: 'viewer' | 'auditor' | 'operator' | 'admin',
): Promise<Account> => {
  people += 1
  const name = `${role} ${process.pid}-${people}`
  const account = { name, email: `${name.replace(' ', '.')}@example.com`, password: 'seven quiet herons wait' }
  const invited = await callApi(docket, '/api/users/invitations', { body: { email: account.email, role } })
  const { url } = (await invited.json()) as { url: string }
  const token = new URL(url).hash.slice(1)
  await callApi(docket, '/api/links/use', { body: { token, name, password: account.password }, cookie: '' })
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
