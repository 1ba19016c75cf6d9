import type { BrowserContext, Page } from '@playwright/test'
import { openBrowser } from '#bench/harness/browser.ts'
import { packSite, siteAdmin } from '#bench/harness/hosted-site.ts'
import { startDocket } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { buildRequests, crawl } from './crawl.ts'
import { attemptNames, buildHostileSite } from './pages.ts'
import { openCollector, recordingProxy, type Loot, type Seen } from './recording-proxy.ts'

const words = 'words-of-another-channel'
const atOnce = 4
/** Time for what a page begins after it has loaded. Milliseconds. */
const settleMs = 1_500

const fault: Fault = {
  file: 'releases/hosting/channel-headers.ts',
  instead: "'Cross-Origin-Resource-Policy': 'same-origin'",
  write: "'X-Nothing': 'same-origin'",
}

const otherSite = {
  'index.html': `<!doctype html><title>Other</title><h1>${words}</h1><script>new BroadcastChannel('x').postMessage('${words}')</script>`,
  'words.js': `globalThis.words = '${words}'`,
  'words.css': `:root { --words: ${words} }`,
  'words.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
  'data.json': JSON.stringify({ words }),
}

/** Harms among what pages sent home. */
const readLoot = (loot: readonly Loot[], secrets: readonly string[], docket: string): string[] =>
  loot.flatMap(({ page, what, text }) => {
    const isHarm =
      what === 'registered' ||
      what === 'loaded' ||
      what.includes(docket) ||
      what === 'read opener' ||
      secrets.some((secret) => text.includes(secret))
    return isHarm ? `${attemptNames[page]}: ${what} ${text.slice(0, 80)}` : []
  })

/** Harms among the requests that Docket got. `session` is Docket's cookie. */
const readRequests = (seen: readonly Seen[], docketHost: string, session: string): string[] =>
  seen.flatMap(({ host, method, path, headers, status, answer }) => {
    const { cookie = '', 'sec-fetch-site': from = 'none' } = headers
    const line = `${method} ${host}${path.slice(0, 60)}: ${status}`
    const isForeign = from !== 'same-origin' && from !== 'none'
    const wrong: string[] = []
    if (host !== docketHost) {
      if (cookie.includes(session)) wrong.push(`a hosted hostname got Docket’s cookie, ${line}`)
      if (answer['access-control-allow-origin'] !== undefined) wrong.push(`readable elsewhere, ${line}`)
      return wrong
    }
    if (cookie !== '' && cookie !== session) wrong.push(`Docket got a planted cookie, ${line} ${cookie.slice(0, 80)}`)
    if (isForeign && cookie !== '') wrong.push(`Docket’s cookie came along from elsewhere, ${line}`)
    if (isForeign && method !== 'GET' && status < 400 && status > 0) wrong.push(`accepted, ${line}`)
    if (isForeign && answer['access-control-allow-origin'] !== undefined) wrong.push(`readable elsewhere, ${line}`)
    return wrong
  })

/** Opens every hostile page at `own` in windows of a browser that is signed in to Docket, some of them by Docket's page. */
const openPages = async (context: BrowserContext, { docket, own }: { docket: string; own: string }) => {
  const wrong: string[] = []
  const tab = await context.newPage()
  await tab.goto(`${docket}/`)
  const look = async (window: Page) => {
    await window.waitForTimeout(settleMs)
    for (const frame of window.frames())
      if (frame !== window.mainFrame() && frame.url().startsWith(docket)) wrong.push('a frame shows Docket')
    await window.close()
  }
  // Its own page opens the first one, in the way that gives most away.
  const opening = context.waitForEvent('page')
  await tab.evaluate((url) => void globalThis.open(url, '_blank', 'opener'), `${own}/p0.html`)
  await look(await opening)
  let next = 1
  const openNext = async () => {
    for (let page = next++; page < attemptNames.length; page = next++) {
      const window = await context.newPage()
      await window.goto(`${own}/p${page}.html`).catch(() => {})
      await look(window)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, openNext))
  if (!tab.url().startsWith(docket)) wrong.push(`the page of Docket went to ${tab.url()}`)
  if (context.serviceWorkers().length > 0) wrong.push('a service worker runs')
  return wrong
}

/** One Docket whose channels are at names below `parent`, in a browser and to a crawler. Null: names of one computer. */
const play = async (parent: string | null, planted: readonly Fault[]) => {
  const proxy = await recordingProxy()
  const { loot, url: collector } = await openCollector()
  const below = `${parent ?? 'localhost'}:${proxy.port}`
  const env = parent === null ? {} : { HOSTING_URL: `http://*.${below}` }
  const running = await startDocket({ ...env, LOG_LEVEL: 'error' }, planted)
  const port = Number(new URL(running.client.url).port)
  proxy.use(port)
  const ownName = /^Docket is ready at http:\/\/(\S+):\d+$/m.exec(running.wrote())?.[1]
  if (ownName === undefined) throw new Error('Docket has no name of its own')
  const docket = `http://${ownName}:${proxy.port}`
  const [session = '', value = ''] = running.cookie.split(/=(.*)/s, 2)

  const [own, other, closed] = ['docs-evil-com', 'docs-other-com', 'staging--docs-other-com'].map(
    (label) => `http://${label}.${below}`,
  ) as [string, string, string]
  const files = buildHostileSite({ docket, session, own, other, closed, collector })
  const admin = siteAdmin(running.client)
  const publish = async (domain: string, bundle: Buffer, access: 'public' | 'signed_in') => {
    const { siteId, exportId } = await admin.upload(domain, bundle)
    await admin.publish(siteId, 'production', exportId)
    await admin.open(siteId, 'production', access)
    return admin.findSum(siteId)
  }
  await publish('docs.evil.com', await packSite(files), 'public')
  const sum = await publish('docs.other.com', await packSite(otherSite), 'signed_in')

  const { browser, close } = await openBrowser()
  const context = await browser.newContext()
  await context.addCookies([{ name: session, value, url: docket, httpOnly: true, sameSite: 'Strict' }])
  const tab = await context.newPage()
  await tab.goto(`${docket}/`)
  const ticket = await tab.evaluate(async (hostname) => {
    const headers = { 'content-type': 'application/json', 'x-docket': '1' }
    const body = JSON.stringify({ hostname, path: '/' })
    const response = await fetch('/api/hosted-sites/open', { method: 'POST', headers, body })
    return ((await response.json()) as { url: string }).url
  }, new URL(other).host)
  await tab.goto(ticket)
  const isReader = (await tab.textContent('h1')) === words
  const begun = proxy.seen.length
  const wrong = await openPages(context, { docket, own })
  const cookies = await context.cookies(docket)
  if (cookies.length !== 1 || cookies[0]!.value !== value)
    wrong.push(`cookies for Docket: ${cookies.map(({ name, domain }) => `${name}@${domain}`).join()}`)
  await tab.goto(`${other}/`)
  if (!isReader || (await tab.textContent('h1')) !== words) wrong.push('the reader of the other channel lost it')
  await close()
  const secrets = [value, words]
  wrong.push(
    ...readLoot(loot, secrets, docket),
    ...readRequests(proxy.seen.slice(begun), new URL(docket).host, running.cookie),
  )
  const ran = new Set(loot.filter(({ what }) => what === 'ran').map(({ page }) => page))
  if (ran.size < attemptNames.length) wrong.push(`${attemptNames.length - ran.size} pages did not run`)

  const bodies = new Set<string>(Object.values(files))
  const crawls = [
    { origin: own, signIn: null, isOwnFile: (body: string) => bodies.has(body) },
    { origin: other, signIn: /^http:\/\/localhost(:\d+)?\/hosted\?/, isOwnFile: () => false },
  ]
  let requests = 0
  for (const { origin, ...rest } of crawls) {
    const [host, foreign] = [origin, origin === own ? other : own].map((one) => new URL(one).host) as [string, string]
    const all = buildRequests({ host, docket: `${ownName}:${port}`, other: foreign, sum })
    requests += all.length
    const reached = await crawl(port, all, { cookie: running.cookie, secrets, ...rest })
    for (const { request, status, why } of reached)
      wrong.push(
        `${request.name} ${request.method} ${request.target} (${request.headers.join('; ')}): ${status}, ${why}`,
      )
  }
  await running.stop()
  return { wrong, requests, seen: proxy.seen.length - begun }
}

export const proof: Proof = {
  name: 'hostile-hosting',
  bar: `of ${attemptNames.length} hostile pages of a hosted channel, none reads, plants or sends a cookie of Docket, calls its API, registers a service worker, or reads another channel; and no request of a crawler reaches an API or another site’s file`,
  fault,
  run: async ({ planted }) => {
    const rounds: Awaited<ReturnType<typeof play>>[] = []
    for (const parent of [null, 'docs.localhost']) rounds.push(await play(parent, planted ? [fault] : []))
    const wrong = [...new Set(rounds.flatMap((round) => round.wrong))]
    for (const line of wrong.slice(0, 40)) console.log(`  ${line}`)
    const sum = (what: 'requests' | 'seen') => rounds.reduce((all, round) => all + round[what], 0)
    return {
      ok: wrong.length === 0,
      figure: `${attemptNames.length} pages at two kinds of hostnames: ${wrong.length} harms among ${sum('seen')} requests of the browser and ${sum('requests')} of the crawler`,
    }
  },
}
