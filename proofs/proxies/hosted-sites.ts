import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { expect, type Page } from '@playwright/test'
import type { Site } from '#packages/api-types/src/releases/sites.ts'
import { hostedNames, hostName, type RunningProxy } from './proxy-servers.ts'
import { askThrough, askWithoutTls, readProtocol } from './through.ts'

/** A page of Docket that an admin opened through a proxy, with what they sign in with. */
export type Admin = { page: Page; cookie: string; email: string; password: string }

type Check = (ok: boolean, what: string) => void

const domain = 'docs.localhost'
const parent = hostedNames.wildcard.slice(1)
const labelled = `docs-localhost${parent}`
const latest = `latest--${labelled}`
const { channel: named } = hostedNames

const api = async (proxy: RunningProxy, { cookie }: Admin, method: string, path: string, body?: object) => {
  const headers = { cookie, origin: `https://${hostName}`, 'sec-fetch-site': 'same-origin', 'x-docket': '1' }
  const { status, body: bytes } = await askThrough(proxy, {
    method,
    path: `/api/${path}`,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined ? '' : JSON.stringify(body),
  })
  if (status >= 300) throw new Error(`${method} ${path} answers ${status}: ${bytes.toString()}`)
  return JSON.parse(bytes.toString()) as unknown
}

/** Publishes the export whose page is open, and opens the site. Answers with its address. */
const publish = async ({ page }: Admin): Promise<string> => {
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
  const opening = page.waitForEvent('popup')
  await dialog.getByRole('link', { name: /^Open it/ }).click()
  const reader = await opening
  await expect(reader.getByText('The first words.')).toBeVisible()
  const address = reader.url()
  await reader.close()
  return address
}

/** Signed-in readers: their cookies, and the way of others through Docket's sign-in and back. */
const readSignedIn = async ({ page, email, password }: Admin, check: Check) => {
  const cookies = await page.context().cookies(`https://${labelled}`)
  const names = cookies.map(({ name }) => name).toSorted()
  check(
    names.join() === '__Host-docket-reader,__Host-docket-release',
    `a hosted site has the cookies ${names.join(', ')}`,
  )
  for (const { name, domain: host, secure, httpOnly } of cookies)
    check(secure && httpOnly && host === labelled, `${name} is for ${host}, Secure: ${secure}, HttpOnly: ${httpOnly}`)

  const context = await page.context().browser()!.newContext({ ignoreHTTPSErrors: true })
  const stranger = await context.newPage()
  await stranger.goto(`https://${latest}/guide/start?from=here`)
  await stranger.getByLabel('E-mail').fill(email)
  const asked = new URL(stranger.url()).host
  check(asked === hostName, `a reader signs in at ${asked}`)
  await stranger.getByLabel('Password', { exact: true }).fill(password)
  await stranger.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(stranger.getByText('Start here.')).toBeVisible()
  check(stranger.url() === `https://${latest}/guide/start?from=here`, `a reader comes back to ${stranger.url()}`)
  await context.close()
}

/** Responses of a public channel at its own hostname. */
const readPublic = async (proxy: RunningProxy, check: Check) => {
  const ask = (path: string, headers: Record<string, string>) => askThrough(proxy, { host: named, path, headers })
  check((await readProtocol(proxy, named)) === 'h2', 'hosted sites have no HTTP/2')
  const plain = await ask('/', {})
  check(plain.status === 200 && plain.body.includes('The first words.'), `a public site answers ${plain.status}`)
  const packed = await ask('/', { 'accept-encoding': 'gzip' })
  const isSame = packed.headers['content-encoding'] === 'gzip' && gunzipSync(packed.body).equals(plain.body)
  check(isSame, `gzip is ${String(packed.headers['content-encoding'])} with ${packed.body.length} bytes`)
  const etag = String(plain.headers['etag'])
  check(/^"[0-9a-f]{64}"$/.test(etag), `the ETag of a page is ${etag}`)
  const again = await ask('/', { 'if-none-match': etag })
  check(again.status === 304, `If-None-Match gets ${again.status}`)
  const part = await ask('/', { range: 'bytes=100-299', 'if-range': etag })
  check(part.status === 206 && part.body.equals(plain.body.subarray(100, 300)), `a Range of a page gets ${part.status}`)
  const moved = await ask('/guide/start.html', {})
  check(moved.status === 200, `/guide/start.html answers ${moved.status}`)
  const slash = await ask('/guide/start/?a=b', {})
  const to = slash.headers['location']
  check(slash.status === 308 && to === '/guide/start?a=b', `/guide/start/ answers ${slash.status} to ${String(to)}`)
  const missing = await ask('/nothing', {})
  check(missing.status === 404 && /text\/html/.test(missing.headers['content-type'] as string), 'no 404 page')
  const foreign = await askThrough(proxy, { host: `nobody${parent}`, path: '/' })
  check(foreign.status === 404, `a site that doesn't exist answers ${foreign.status}`)
  for (const host of [named, labelled]) {
    const upgraded = await askWithoutTls(proxy, { host, path: '/guide?q=a' })
    check(
      upgraded.status === 308 && upgraded.headers['location'] === `https://${host}/guide?q=a`,
      `port 80 redirects ${host} to ${String(upgraded.headers['location'])}`,
    )
  }
}

/** Downloads the bundle of production in two parts by its address, and compares its sum. */
const readBundle = async (proxy: RunningProxy, check: Check) => {
  const path = '/sites/docs-localhost/production/bundle'
  const { headers } = await askThrough(proxy, { path: `${path}.tar.gz` })
  const address = new URL(String(headers['location']), `https://${hostName}`)
  const part = (range: string) =>
    askThrough(proxy, { path: address.pathname, headers: { range: `bytes=${range}`, 'accept-encoding': 'gzip' } })
  const [start, rest] = [await part('0-999'), await part('1000-')]
  const sums = await askThrough(proxy, { path: `${path}.sha256` })
  const sum = createHash('sha256')
    .update(Buffer.concat([start.body, rest.body]))
    .digest('hex')
  check(
    start.status === 206 && rest.status === 206 && sums.body.toString().startsWith(sum),
    `a bundle in two parts (${start.status}, ${rest.status}) has another sum`,
  )
}

/**
 * Publishes the export whose page is open, publishes a second one, rolls back, and reads both channels as signed-in readers and as the public.
 * `change` changes a word of the source.
 */
export const playHostedSites = async (
  proxy: RunningProxy,
  admin: Admin,
  { change, check }: { change: () => void; check: Check },
): Promise<void> => {
  const address = await publish(admin)
  check(address === `https://${labelled}/`, `the site opens at ${address}`)
  await readSignedIn(admin, check)

  const readSite = async (): Promise<Site> => {
    const { sites } = (await api(proxy, admin, 'GET', 'sites')) as { sites: Site[] }
    return sites.find(({ feeds }) => feeds.some((feed) => feed.domain === domain))!
  }
  const find = (site: Site, channel: string) => site.channels.find(({ name }) => name === channel)!
  const changeProduction = async (method: string, path: string, body: object) => {
    const site = await readSite()
    const { channelId, version } = find(site, 'production')
    await api(proxy, admin, method, `sites/${site.siteId}/channels/${channelId}${path}`, { version, ...body })
  }
  await changeProduction('PATCH', '', { access: 'public', hostname: named })
  const waitFor = async (words: string) => {
    let text = ''
    for (let tries = 0; tries < 40 && !text.includes(words); tries += 1) {
      text = (await askThrough(proxy, { host: named, path: '/' })).body.toString()
      await delay(100)
    }
    check(text.includes(words), `the site doesn't show “${words}”`)
  }
  await waitFor('The first words.')
  await readPublic(proxy, check)
  await readBundle(proxy, check)

  // This channel moves once the check has finished.
  const readNewest = async () => find(await readSite(), 'latest').current!.exportId
  const before = await readNewest()
  change()
  await api(proxy, admin, 'POST', 'static-exports', { requestId: randomUUID(), domain, confirmed: true })
  let exportId = before
  while (exportId === before) {
    await delay(200)
    exportId = await readNewest()
  }
  await changeProduction('POST', '/releases', { exportId, note: null })
  await waitFor('The second words.')
  await changeProduction('POST', '/rollback', {})
  await waitFor('The first words.')
}
