import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium, type BrowserContext, type Page } from '@playwright/test'
import { test as base, expect } from '#e2e/support/docket.ts'
import { startDocket, type Docket } from '#e2e/support/docket-server.ts'
import { launchFlags } from '#e2e/support/launch-flags.ts'
import { addPerson } from '#e2e/support/people.ts'

// One Docket for the whole file.
base.describe.configure({ mode: 'default' })

const test = base.extend<object, { shared: Docket }>({
  shared: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern.
    async ({}, use) => {
      const docket = await startDocket()
      await docket.adminCookie()
      // No admin has a password, so this prints a link to sign in with.
      await docket.restart()
      await use(docket)
      await docket.dispose()
    },
    { scope: 'worker', timeout: 900_000 },
  ],
  docket: async ({ shared }, use) => use(shared),
  signedIn: false,
})
test.beforeEach(({ tolerate }) =>
  tolerate(({ kind, text }) => kind === 'foreign request' || (kind === 'console' && text.includes('Failed to load'))),
)

const printedLink = (docket: Docket) => /Open (\S+\/link#\S+) to sign in/.exec(docket.readOutput())![1]!
const readName = ({ url }: Docket) => new URL(url).hostname

/** A session as browsers got it under 127.0.0.1 before Docket had a name. */
const sessionByNumber = async (docket: Docket) => {
  const { email, password } = await addPerson(docket, 'operator')
  const response = await fetch(`${docket.plainUrl}/api/auth/sign-in/password`, {
    method: 'POST',
    headers: { origin: docket.plainUrl, 'x-docket': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const cookies = response.headers.getSetCookie().map((one) => one.split(';', 1)[0]!)
  const give = (context: BrowserContext) =>
    context.addCookies(
      cookies.map((cookie) => {
        const [name = '', value = ''] = cookie.split('=', 2)
        return { name, value, domain: '127.0.0.1', path: '/', httpOnly: true, sameSite: 'Strict' as const }
      }),
    )
  return { cookie: cookies.join('; '), give }
}

const personAt = (page: Page) =>
  page.evaluate(async () => ((await (await fetch('/api/session')).json()) as { person: object | null }).person)

const guesses = [
  '127.0.0.1',
  'localhost',
  '[::1]',
  'docket.localhost',
  'docket-000000000000.localhost',
  'x.docket.localhost',
]

/** Another server on this computer. It records the requests it gets, and its pages try to cause more. */
const nosyServer = async () => {
  const requests: { host: string; cookie: string | undefined }[] = []
  const answer = (port: number): string => {
    const ways = guesses.map(
      (host) =>
        `<img src="http://${host}:${port}/image"><iframe src="http://${host}:${port}/frame"></iframe><script>fetch("http://${host}:${port}/fetch", { credentials: "include", mode: "no-cors" }).catch(() => {})</script>`,
    )
    return `<!doctype html><title>Nosy</title>${ways.join('')}`
  }
  const servers: Server[] = []
  const listen = (host: string, port: number) =>
    new Promise<number>((resolve, reject) => {
      const server = createServer((request, response) => {
        requests.push({ host: request.headers.host ?? '', cookie: request.headers.cookie })
        const isPage = request.url === '/' || request.url === '/again'
        response
          .setHeader('content-type', 'text/html')
          .end(isPage ? answer((server.address() as AddressInfo).port) : '<p>Nothing</p>')
      })
      servers.push(server)
      server.once('error', reject).listen(port, host, () => resolve((server.address() as AddressInfo).port))
    })
  const port = await listen('127.0.0.1', 0)
  const hasIpv6 = await listen('::1', port).then(
    () => true,
    () => false,
  )
  const close = () => {
    for (const server of servers) server.close().closeAllConnections()
  }
  return { port, requests, hasIpv6, close }
}

test('a browser that signs in with the printed link sends no cookie to other servers of this computer @story', async ({
  page,
  docket,
}) => {
  const link = printedLink(docket)
  expect(link).toContain(`${docket.url}/link#`)
  await page.goto(link)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('button', { name: /^Menu of / }).first()).toBeVisible()
  expect(new URL(page.url()).origin).toBe(docket.url)

  const nosy = await nosyServer()
  try {
    const names = guesses.filter((host) => nosy.hasIpv6 || host !== '[::1]')
    for (const host of names) {
      await page.goto(`http://${host}:${nosy.port}/`)
      await page.evaluate(() => location.assign('/again'))
      await page.waitForURL('**/again', { waitUntil: 'networkidle' })
    }
    expect(new Set(nosy.requests.map(({ host }) => host))).toEqual(new Set(names.map((host) => `${host}:${nosy.port}`)))
    expect(nosy.requests.filter(({ cookie }) => cookie !== undefined)).toEqual([])

    // It does get cookies of a name it knows: this is why nobody else may learn the own name.
    await page.goto(`http://${readName(docket)}:${nosy.port}/`)
    await page.reload()
    expect(nosy.requests.filter(({ cookie }) => cookie?.startsWith('docket_'))).not.toEqual([])
  } finally {
    nosy.close()
  }
})

test('no request reveals Docket’s own name to a program, whatever headers it sends', async ({ docket }) => {
  const name = readName(docket)
  const paths = ['/', '/exports', '/here', '/theme.js', '/livez', '/nothing.js', '/api/session', '/api/users']
  const posts = [
    '/api/account/sessions/handover',
    '/api/session',
    '/api/auth/passkey/options',
    '/api/auth/oidc',
    '/api/setup',
  ]
  const same = { origin: docket.plainUrl, 'sec-fetch-site': 'same-origin', 'x-docket': '1', accept: 'text/html, */*' }
  const request = async (path: string, init: RequestInit) => {
    const response = await fetch(docket.plainUrl + path, { ...init, redirect: 'manual' })
    return JSON.stringify([...response.headers]) + (await response.text())
  }
  for (const path of paths) expect(await request(path, { headers: same })).not.toContain(name)
  const asJson = { ...same, 'content-type': 'application/json' }
  for (const path of posts)
    expect(await request(path, { method: 'POST', headers: asJson, body: '{}' })).not.toContain(name)
})

test('an existing session moves to Docket’s own name with path, query and fragment, and leaves no cookie behind', async ({
  page,
  context,
  docket,
}) => {
  const { cookie, give } = await sessionByNumber(docket)
  await give(context)
  await page.goto(`${docket.plainUrl}/exports?x=1#y`)
  await expect(page).toHaveURL(`${docket.url}/exports?x=1#y`)
  await expect(page.getByRole('heading', { level: 1, name: 'Exports' })).toBeVisible()
  expect(await personAt(page)).not.toBeNull()
  expect(await context.cookies(docket.plainUrl)).toEqual([])
  const old = await fetch(`${docket.plainUrl}/api/account/sessions`, { headers: { cookie } })
  expect(old.status).toBe(401)

  // This browser knows the way now, also without a session.
  await page.goto(`${docket.plainUrl}/agent-jobs?x=2#z`)
  await expect(page).toHaveURL(`${docket.url}/agent-jobs?x=2#z`)
  expect(await personAt(page)).not.toBeNull()
  await context.clearCookies()
  await page.goto(`${docket.plainUrl}/link#${'a'.repeat(32)}`)
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible()
  expect(new URL(page.url()).origin).toBe(docket.url)
})

test('one sign-in at 127.0.0.1 or localhost continues at Docket’s own name', async ({ page, context, docket }) => {
  for (const address of [docket.plainUrl, docket.plainUrl.replace('127.0.0.1', 'localhost')]) {
    const account = await addPerson(docket, 'viewer')
    await context.clearCookies()
    await page.goto(`${address}/settings/about`)
    await expect(page.getByText('Open the address that Docket printed when it started')).toBeVisible()
    await page.getByLabel('E-mail').fill(account.email)
    await page.getByLabel('Password', { exact: true }).fill(account.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page).toHaveURL(`${docket.url}/settings/about`)
    expect(await personAt(page)).toMatchObject({ email: account.email.toLowerCase() })
    expect(await context.cookies(address)).toEqual([])
  }
})

test('a browser that cannot resolve Docket’s own name keeps working at 127.0.0.1', async ({ docket }) => {
  const { give } = await sessionByNumber(docket)
  const executablePath = process.env.E2E_CHROMIUM
  const browser = await chromium.launch({
    args: [...launchFlags, '--host-resolver-rules=MAP docket-*.localhost ~NOTFOUND'],
    ...(executablePath === undefined ? {} : { executablePath }),
  })
  try {
    const context = await browser.newContext()
    await give(context)
    const page = await context.newPage()
    await page.goto(`${docket.plainUrl}/exports?x=1#y`)
    await expect(page.getByRole('heading', { level: 1, name: 'Exports' })).toBeVisible()
    await page.getByRole('link', { name: 'Agent jobs' }).first().click()
    await expect(page.getByRole('heading', { level: 1, name: 'Agent jobs' })).toBeVisible()
    expect(new URL(page.url()).origin).toBe(docket.plainUrl)
    expect(await personAt(page)).not.toBeNull()
  } finally {
    await browser.close()
  }
})
