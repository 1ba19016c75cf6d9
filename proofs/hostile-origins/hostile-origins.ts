import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import type { LookupFunction } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { mirrorSite as MirrorSite } from '#packages/site-exporter/src/mirror/mirror-site.ts'
import { htmlPage, openOrigin, type Origin, type Served } from '#packages/site-exporter/src/testing/origin.ts'
import { parseSource } from '#packages/sources/src/site-source.ts'
import { onEnd } from '#bench/harness/cleanup.ts'
import { badAnswers, badSitemaps } from './bad-answers.ts'
import { endlessPage, endlessStarts } from './endless-pages.ts'
import { watchConnections, type Connection } from '#proofs/network/connections.ts'
import { localDns } from '#proofs/network/dns.ts'
import { waysInside, zone } from '#proofs/network/ways-inside.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { plant, type Fault } from '#proofs/harness/plant.ts'

// The hostile site lives in the same process.
const maxGrowthMb = 640
const maxMs = 240_000
const honest = 20
// A public address; the proof never really connects to it.
const outside = '93.184.216.34'
const never = /^(169\.254\.|100\.100\.100\.200|168\.63\.129\.16|192\.0\.0\.192|fd00:ec2::254|fe80:)/
const short = { answerMs: 2_000, retryMs: 1, longestWaitMs: 1, retries: 0 }

const fault: Fault = {
  file: 'outbound/src/addresses.ts',
  instead: 'kinds.has(kind) ||',
  write: 'true ||',
}

const targets = [
  'http://169.254.169.254/latest/meta-data/',
  'http://127.0.0.1:9464/metrics',
  'http://private.test/x',
  '//loopback.test/x',
  'http:\\\\10.0.0.1\\x',
  'http://user:hunter2@127.0.0.1:1/x',
  'file:///etc/passwd',
]
const statuses = [300, 301, 302, 303, 307, 308]

/** One site with everything bad in it, and honest pages in between. */
const hostileSite = () => {
  const redirects = statuses.flatMap((status) => targets.map((_, at) => `/redirect/${status}/${at}`))
  const names = Object.keys(badAnswers)
  const bad = names.map((_, at) => `/bad/${at}`)
  const fine = Array.from({ length: honest }, (_, at) => `/fine/page-${String.fromCodePoint(97 + at)}`)
  const all = [...redirects, ...bad, ...endlessStarts, ...fine]
  const served = (path: string): Served | undefined => {
    const [, status, at] = /^\/redirect\/(\d+)\/(\d+)/.exec(path) ?? []
    if (status !== undefined) return { status: Number(status), headers: { location: targets[Number(at)]! } }
    const [, number] = /^\/bad\/(\d+)$/.exec(path) ?? []
    if (number !== undefined) return badAnswers[names[Number(number)]!]
    if (fine.includes(path)) return htmlPage(path)
    return endlessPage(path) ?? badSitemaps(path)
  }
  const page = htmlPage(
    'Home',
    `${all.map((path) => `<a href="${path}">x</a>`).join(' ')}${redirects.map((path) => `<img src="${path}.png">`).join('')}
     ${targets.map((target) => `<img src="${target}"><iframe src="${target}"></iframe><a href="${target}">x</a>`).join('')}<link rel="icon" href="${targets[0]}">`,
  )
  return (path: string): Served | undefined => {
    const what = path === '/' ? page : served(path)
    return typeof what === 'string' ? { headers: { 'set-cookie': 'session=secret; Path=/' }, body: what } : what
  }
}

/** Plays the hostile site. Resolves with what went wrong, and figures. */
const playSite = async (mirrorSite: typeof MirrorSite, site: Origin, staging: string, lookup: LookupFunction) => {
  const wrong: string[] = []
  const before = process.memoryUsage().rss
  let peak = before
  const watching = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 25)
  const startMs = performance.now()
  const limits = { ...short, pages: 1_500, addresses: 5_000, ofOneShape: 100, lostShare: 1 }
  const { pages, leftOut } = await mirrorSite(
    { url: `${site.url}/`, staging, privateNetworks: ['127.0.0.1'], lookup, limits },
    () => {},
  )
  clearInterval(watching)
  const tookMs = performance.now() - startMs
  const growthMb = (peak - before) / 2 ** 20
  const files = readdirSync(staging, { recursive: true }).map(String)
  const pageCount = files.filter((name) => name.includes('fine/page-')).length
  if (pageCount !== honest) wrong.push(`${pageCount} of ${honest} honest pages were read`)
  if (growthMb > maxGrowthMb) wrong.push(`memory grew by ${growthMb.toFixed(0)} MB`)
  if (tookMs > maxMs) wrong.push(`it took ${(tookMs / 1000).toFixed(0)} s`)
  const secrets = site.heard.filter(({ headers }) => headers.cookie ?? headers.authorization ?? headers.referer)
  if (secrets.length > 0) wrong.push(`${secrets.length} requests had a cookie, a password or a referrer`)
  const unheard = Object.keys(badAnswers).filter((_, at) => !site.heard.some(({ path }) => path === `/bad/${at}`))
  if (unheard.length > 0) wrong.push(`never asked for: ${unheard.join(', ')}`)
  if (files.some((name) => name.endsWith('.html') && readFileSync(join(staging, name), 'latin1').includes('password@')))
    wrong.push('a password is in the result')
  return {
    wrong,
    figure: `${pages} pages kept, ${leftOut.length} lines left out, ${site.heard.length} requests, memory +${growthMb.toFixed(0)} MB, ${(tookMs / 1000).toFixed(0)} s`,
  }
}

/** Every private or special address as a site, by number and by name. Resolves with those that were connected to. */
const playAddresses = async (
  mirrorSite: typeof MirrorSite,
  connections: Connection[],
  staging: string,
  lookup: LookupFunction,
) => {
  const through: string[] = []
  const ways = waysInside.filter(({ link }) => /^https?:/.test(link) && URL.canParse(link))
  const play = async (
    link: string,
    title: string,
    privateNetworks: string[],
    isAllowed: (address: string) => boolean,
  ) => {
    const from = connections.length
    try {
      const source = parseSource(link)
      if (source.kind !== 'mirror') return
      await mirrorSite(
        { url: source.url, staging, privateNetworks, lookup, limits: { ...short, goneAfter: 1 } },
        () => {},
      )
    } catch {
      // The read must fail; only its connections matter.
    }
    const reached = connections.slice(from).find(({ address }) => !isAllowed(address))
    if (reached) through.push(`${title} (${reached.address})`)
  }
  for (const { title, link, mayReach = [] } of ways) {
    for (const scheme of ['https:', 'http:'])
      await play(
        link.replace(/^https?:/, scheme),
        title,
        [],
        (address) => address === outside || mayReach.includes(address),
      )
    await play(link, `${title}, with everything listed`, ['0.0.0.0/0', '::/0'], (address) => !never.test(address))
  }
  return { through, played: ways.length * 3 }
}

/** Reads hostile sites with the real mirror reader; only the connections of the process matter. */
export const proof: Proof = {
  name: 'hostile-origins',
  bar: `of all private and special addresses none is connected to, and a site with ${Object.keys(badAnswers).length} kinds of bad answers, ${endlessStarts.length} kinds of endless pages and ${statuses.length * targets.length} redirects is read to its end: every honest page, no secret sent, memory +${maxGrowthMb} MB at most`,
  fault,
  run: async ({ planted }) => {
    if (planted) plant([fault])
    const { mirrorSite } = await import('#packages/site-exporter/src/mirror/mirror-site.ts')
    const staging = join(mkdtempSync(join(tmpdir(), 'docket-hostile-')), 'staging')
    onEnd(() => rmSync(join(staging, '..'), { recursive: true, force: true }))
    const site = await openOrigin(hostileSite())
    onEnd(() => site.close())
    const connections = await watchConnections(new Set([site.port]))
    const dns = await localDns(zone)
    const lookup = dns.lookup as LookupFunction
    const { through, played } = await playAddresses(mirrorSite, connections, staging, lookup)
    const from = connections.length
    const { wrong, figure } = await playSite(mirrorSite, site, staging, lookup)
    const elsewhere = connections
      .slice(from)
      .filter(({ address, port }) => address !== '127.0.0.1' || port !== site.port)
    const isPlayed = dns.queries.length > 0 && connections.length > 0 && site.heard.length > 0
    const bad = [...through, ...elsewhere.map(({ address, port }) => `the site led to ${address}:${port}`), ...wrong]
    return {
      ok: bad.length === 0 && isPlayed,
      figure: `${through.length} of ${played} ways to an address got through, ${elsewhere.length} connections elsewhere; ${figure}${bad.length > 0 ? `: ${[...new Set(bad)].slice(0, 5).join(', ')}` : ''}`,
    }
  },
}
