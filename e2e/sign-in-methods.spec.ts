import { createHmac } from 'node:crypto'
import type { Browser, Page } from '@playwright/test'
import { callApi } from '#e2e/support/api.ts'
import { test as base, expect } from '#e2e/support/docket.ts'
import { startDocket, type Docket } from '#e2e/support/docket-server.ts'
import { startOidcServer } from '#e2e/support/oidc-server.ts'

// One Docket for the whole file: each test is about another person.
base.describe.configure({ mode: 'default' })

const password = 'correct horse battery staple'

const throughCompany = async (page: Page, who: string) => {
  await page.getByRole('button', { name: 'Sign in with Example Company' }).click()
  await page.getByRole('button', { name: who }).click()
}

/** The first account, of a person of the company. Answers with the cookie of that session. */
const firstAdmin = async (browser: Browser, { url }: Docket): Promise<string> => {
  const page = await browser.newPage()
  await page.goto(url)
  await expect(page).toHaveURL(`${url}/setup`)
  await throughCompany(page, 'Ada')
  await expect(page.getByRole('button', { name: 'Menu of Ada' }).first()).toBeVisible()
  const cookies = await page.context().cookies(url)
  await page.close()
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
}

const test = base.extend<object, { company: { docket: Docket; issuer: string; admin: string } }>({
  company: [
    async ({ browser }, use) => {
      const provider = await startOidcServer({
        Ada: { groups: ['everybody', 'docket-admins'] },
        Vera: { groups: ['everybody'] },
        Mallory: { groups: ['others'] },
        Lin: { groups: ['everybody'], unverified: true },
      })
      const docket = await startDocket({
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: provider.clientId,
        OIDC_CLIENT_SECRET: provider.clientSecret,
        OIDC_NAME: 'Example Company',
        OIDC_SCOPES: 'openid profile email groups',
        OIDC_ADMIN_GROUP: 'docket-admins',
        OIDC_VIEWER_GROUP: 'everybody',
      })
      provider.serve(`${docket.url}/api/auth/oidc/callback`)
      await use({ docket, issuer: provider.issuer, admin: await firstAdmin(browser, docket) })
      await docket.dispose()
      await provider.close()
    },
    { scope: 'worker', timeout: 900_000 },
  ],
  docket: async ({ company }, use) => use(company.docket),
  signedIn: false,
})

/** Invites somebody and accepts for them; they have a password then. */
const invite = async (
  { docket, admin }: { docket: Docket; admin: string },
  name: string,
  at = 'docket.example',
): Promise<string> => {
  const email = `${name.toLowerCase()}@${at}`
  const body = { email, role: 'operator' }
  const invitation = await callApi(docket, '/api/users/invitations', { body, cookie: admin })
  const token = new URL(((await invitation.json()) as { url: string }).url).hash.slice(1)
  await callApi(docket, '/api/links/use', { body: { token, name, password }, cookie: '' })
  return email
}

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** RFC 6238 as an authenticator app does it: SHA-1, six digits, half minutes. */
const computeCode = (secret: string, at = Date.now()): string => {
  const bits = secret
    .split('')
    .map((letter) => base32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)))
  const mac = createHmac('sha1', key).update(counter).digest()
  return String((mac.readUInt32BE(mac.at(-1)! & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

const enterPassword = async (page: Page, email: string) => {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
const signOut = async (page: Page, name: string) => {
  await page
    .getByRole('button', { name: new RegExp(name) })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
}
const findRole = (page: Page) =>
  page.evaluate(
    async () => ((await (await fetch('/api/session')).json()) as { person: { role: string } | null }).person?.role,
  )

test('single sign-on returns to the requested page, with the role that the user’s groups give', async ({
  page,
  company,
  tolerate,
}) => {
  tolerate(({ kind, text }) => kind === 'foreign request' && text.startsWith(company.issuer))
  await page.goto('/agent-jobs?sort=newest')
  await throughCompany(page, 'Ada')
  await expect(page).toHaveURL(/\/agent-jobs\?sort=newest$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await findRole(page)).toBe('admin')
  await page.reload()
  expect(await findRole(page)).toBe('admin')
})

test('a user outside the groups sees the reason and stays signed out, and cancelling is no error', async ({
  page,
  company,
  tolerate,
}) => {
  tolerate(({ kind, text }) => kind === 'foreign request' && text.startsWith(company.issuer))
  await page.goto('/')
  await throughCompany(page, 'Nobody')
  await expect(page.getByRole('alert')).toContainText('cancelled')
  await throughCompany(page, 'Mallory')
  await expect(page.getByRole('alert')).toContainText('None of your groups has access')
  expect(await findRole(page)).toBeUndefined()
})

test('an admin lets the next single sign-on link an account whose address the provider doesn’t verify', async ({
  page,
  browser,
  company,
  tolerate,
}) => {
  tolerate(({ kind, text }) => kind === 'foreign request' && text.startsWith(company.issuer))
  await invite(company, 'Lin', 'example.com')
  await page.goto('/')
  await throughCompany(page, 'Lin')
  await expect(page.getByRole('alert')).toContainText('Another account has your e-mail address')
  const admin = await browser.newPage()
  await admin.goto(`${company.docket.url}/settings/people`)
  await throughCompany(admin, 'Ada')
  await admin.getByRole('button', { name: 'More for Lin' }).click()
  await admin.getByRole('menuitem', { name: 'Link at next single sign-on' }).click()
  await expect(admin.getByText('Links at next single sign-on')).toBeVisible()
  await admin.close()
  await page.goto('/')
  await page.getByRole('button', { name: 'Sign in with Example Company' }).click()
  await expect(page.getByRole('button', { name: 'Menu of Lin' }).first()).toBeVisible()
  expect(await findRole(page)).toBe('viewer')
})

test('once an authenticator app is set up, sign-in asks for its code or a backup code after the password', async ({
  page,
  company,
}) => {
  const email = await invite(company, 'Grace')
  await page.goto('/account')
  await enterPassword(page, email)
  await page.getByRole('button', { name: 'Set up…' }).click()
  await page.getByLabel('Your password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  const secret = (await page.locator('code').textContent())!.replaceAll(' ', '')
  await page.getByLabel('Code from the app').fill(computeCode(secret))
  await page.getByRole('button', { name: 'Turn on' }).click()
  const backup = await page.getByRole('list', { name: 'Backup codes' }).getByRole('listitem').first().textContent()
  await page.getByRole('button', { name: 'I saved them' }).click()
  await expect(page.getByText('On. Sign-in asks for a code after your password.')).toBeVisible()

  await signOut(page, 'Grace')
  await enterPassword(page, email)
  // The one of now was used to set it up.
  await page.getByLabel('Authenticator code').fill(computeCode(secret, Date.now() + 30_000))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect.poll(() => findRole(page)).toBe('operator')

  await signOut(page, 'Grace')
  await enterPassword(page, email)
  await page.getByRole('button', { name: 'Use a backup code' }).click()
  await page.getByLabel('Backup code').fill(backup!)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect.poll(() => findRole(page)).toBe('operator')
})

test('a passkey signs in without a password until it is removed @story', async ({ page, company, context }) => {
  const email = await invite(company, 'Hedy')
  const device = await context.newCDPSession(page)
  await device.send('WebAuthn.enable')
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto('/account')
  await enterPassword(page, email)
  await page.getByRole('button', { name: 'Add a passkey…' }).click()
  await page.getByLabel('Name').last().fill('laptop')
  await page.getByLabel('Your password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await expect(page.getByRole('list', { name: 'Passkeys' })).toContainText('laptop')

  await signOut(page, 'Hedy')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect.poll(() => findRole(page)).toBe('operator')
  await page.goto('/account')
  await page.getByRole('button', { name: /Remove… laptop/ }).click()
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('list', { name: 'Passkeys' })).toHaveCount(0)
})
