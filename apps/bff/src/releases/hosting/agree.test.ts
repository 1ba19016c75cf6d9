import { chmod } from 'node:fs/promises'
import { archives } from '@docket/site-bundle/testing/agree/archives'
import { packTree, trees, type Tree } from '@docket/site-bundle/testing/agree/trees'
import { awkwardSite, mountedSite } from '@docket/site-bundle/testing/awkward-sites'
import { generatorSites } from '@docket/site-bundle/testing/generator-sites'
import { breaks } from '@docket/site-bundle/testing/planted-breaks'
import { healthySite } from '@docket/site-bundle/testing/planted-defects'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { askServer, openNginx, type Answer, type Ask } from '#testing/agree/answers.ts'
import { generateTrees } from '#testing/agree/generated-trees.ts'
import { listAddresses, listMissing, openBundleStore, type ReadBundle } from '#testing/agree/read-bundle.ts'
import { testConnectionId } from '#testing/connection.ts'
import { previewApp } from '#testing/preview-app.ts'

/** With `SAMPLES`, as many generated names, every address, and nginx on what Docket delivers. */
const isWhole = process.env['SAMPLES'] !== undefined
const names = Number(process.env['SAMPLES'] ?? 100)
// It says how far it is, and ends when it says nothing for long.
const options = isWhole ? { timeout: 2 * 3_600_000 } : {}
const maxAddresses = isWhole ? Infinity : 60

let later = 0
const now = () => Date.now() + later
const store = await openBundleStore()
// nginx reads the delivered folder as another user.
await chmod(store.folder, 0o755)
const read = new Map<string, ReadBundle>()
let current = ''
const open = (sha256: string) => read.get(sha256)!.site
const app = await previewApp(null as never, {
  now,
  logLevel: 'error',
  artifacts: { openSite: (_: unknown, sha256: string) => open(sha256) },
  previewed: { find: async () => ({ sha256: current }), open },
})
afterAll(async () => {
  await app.close()
  await store.close()
})
await app.db.execute(
  sql`insert into sites (connection_id, domain, created_at) values (${testConnectionId}, 'docs.example.com', now())`,
)
await app.db.execute(sql`update channels set access = 'public' where name = 'production'`)

let number = 0
const publish = async ({ sha256 }: ReadBundle) => {
  current = sha256
  number += 1
  await app.db.execute(
    sql`insert into stored_bundles (sha256, ending, size_bytes, stored_bytes, content_bytes, files, pages, stored_at)
      values (${sha256}, '.zip', 1, 1, 1, 1, 1, now()) on conflict do nothing`,
  )
  await app.db.execute(sql`with released as (
      insert into releases (channel_id, number, kind, sha256, sum, export_id, pages, released_at, by_kind, by_name, note)
      select channel_id, ${number}, 'publication', ${sha256}, ${sha256}, gen_random_uuid(), 1, ${new Date(now())}, 'person', 'Ada', 'First'
      from channels where name = 'production' returning release_id)
    update channels set current_release_id = (select release_id from released) where name = 'production'`)
  // What earlier releases had is served for another hour.
  later += 3_700_000
}

const openPreview = async () => {
  const preview = await app.open('/')
  const { host, pathname, search } = new URL(preview.url)
  const { headers } = await app.send(host, pathname + search)
  const cookie = String(headers['set-cookie']).split(';', 1)[0]!
  return askServer(app.port, { host, cookie })
}

const isFound = ({ status }: Answer) => status < 400
const leadsAway = ({ location }: Answer) => location !== null && !location.startsWith('/')

/** True when the redirects of an address end at a page, or at another site. */
const arrives = async (ask: Ask, first: Answer) => {
  let answer = first
  for (let hops = 0; hops < 10 && isFound(answer); hops += 1) {
    if (answer.location === null || leadsAway(answer)) return true
    answer = await ask(answer.location.replace(/#.*$/, ''))
  }
  return false
}

const show = ({ status, location, type, sha256 }: Answer) =>
  location === null ? `${status} ${type} ${sha256.slice(0, 6)}` : `${status} ${location}`

/** Some servers write these two characters as they were asked for. */
const toPlain = (location: string | null) => location?.replaceAll('%27', "'").replaceAll('%24', () => '$') ?? null

/** Two servers must send the same; a sentence of their own when the site has no page for a missing address. */
const differ = (one: Answer, other: Answer) => {
  const isOwnSentence = one.status >= 400 && !/html/.test(one.type ?? '')
  return (
    one.status !== other.status ||
    toPlain(one.location) !== toPlain(other.location) ||
    (!isOwnSentence && one.location === null && (one.sha256 !== other.sha256 || one.type !== other.type))
  )
}

/** Contradictions about the addresses of a bundle, each with its kind in front. */
const compare = async (bundle: ReadBundle): Promise<{ asked: number; wrong: string[] }> => {
  await publish(bundle)
  const all = await listAddresses(bundle)
  const addresses = all.filter((_, at) => at % Math.max(1, Math.ceil(all.length / maxAddresses)) === 0)
  const missing = await listMissing(bundle, addresses)
  // As browsers open a page. Before a part of a page is missing, Docket looks for a newer release, which takes 0.1 s.
  const hosting = askServer(app.port, {
    host: `docs-example-com.localhost:${app.port}`,
    'sec-fetch-dest': 'document',
  })
  const preview = await openPreview()
  const server = isWhole ? await openNginx(bundle, store.folder) : null
  const wrong: string[] = []
  const ask = async (address: string) => {
    const note = (kind: string, text: string) => wrong.push(`${kind}: ${bundle.name}: ${address} ${text}`)
    const hosted = await hosting.ask(address)
    const previewed = await preview.ask(address)
    const isMissing = missing.has(address)
    if (!isMissing && !isFound(hosted)) note('check', `is found, and hosting answers ${show(hosted)}`)
    if (isMissing && isFound(hosted) && (await arrives(hosting.ask, hosted)))
      note('check', `is missing, and hosting answers ${show(hosted)}`)
    // Previews open no other site.
    if (!leadsAway(hosted) && differ(hosted, previewed))
      note('preview', `is ${show(previewed)}, and hosting answers ${show(hosted)}`)
    const served = await server?.ask(address)
    if (served !== undefined && differ(hosted, served))
      note(
        isFound(hosted) === isFound(served) ? 'nginx differs' : 'nginx',
        `is ${show(served)}, and hosting answers ${show(hosted)}`,
      )
  }
  for (let at = 0; at < addresses.length; at += 8) await Promise.all(addresses.slice(at, at + 8).map(ask))
  hosting.close()
  preview.close()
  await server?.close()
  return { asked: addresses.length, wrong }
}

/** Contradictions, with their count by kind first. */
const compareAll = async (bundles: readonly (readonly [string, () => Promise<Buffer>])[]) => {
  const wrong: string[] = []
  let asked = 0
  for (const [name, pack] of bundles) {
    const bundle = await store.add(name, await pack()).catch((error: Error) => error.message)
    if (typeof bundle === 'string') {
      wrong.push(`refused: ${name}: ${bundle}`)
      continue
    }
    read.set(bundle.sha256, bundle)
    const compared = await compare(bundle)
    if (isWhole) process.stdout.write(`${name}: ${compared.asked} addresses, ${compared.wrong.length} contradictions\n`)
    asked += compared.asked
    wrong.push(...compared.wrong)
  }
  const kinds = Map.groupBy(wrong, (line) => line.split(':', 1)[0]!)
  const counts = [...kinds].map(([kind, lines]) => `${lines.length} of ${kind}`)
  return { asked, wrong: wrong.length === 0 ? [] : [counts.join(', '), ...wrong] }
}

const corpora: Readonly<Record<string, Tree>> = {
  ...trees,
  ...generatorSites,
  // No target takes what git and Docket keep for themselves.
  'awkward names and rules': Object.fromEntries(
    Object.entries(awkwardSite).filter(([path]) => !/(^|\/)\.(git\/|docket)/.test(path)),
  ),
  'a folder for a path': mountedSite,
  'a healthy site': healthySite,
  ...Object.fromEntries(
    breaks.flatMap(({ name, files, twin }) => [
      [`${name}, broken`, { ...healthySite, ...files }],
      [`${name}, in order`, { ...healthySite, ...twin }],
    ]),
  ),
}

test(
  'for every address that a bundle names, check, hosting, preview and nginx on the delivered folder agree',
  options,
  async () => {
    const bundles = [
      ...Object.entries(corpora).map(([name, tree]) => [name, () => packTree(tree)] as const),
      ...Object.entries(archives),
    ]
    const { asked, wrong } = await compareAll(bundles)
    expect(wrong).toEqual([])
    expect(bundles.length).toBeGreaterThan(20)
    expect(asked).toBeGreaterThan(bundles.length * 20)
  },
)

test('they agree about generated names and rules', options, async () => {
  const generated = generateTrees(names).map((tree, at) => [`generated ${at}`, () => packTree(tree)] as const)
  const { asked, wrong } = await compareAll(generated)
  expect(wrong).toEqual([])
  expect(asked).toBeGreaterThan(names)
})

test('generated names are the same in every run', () => {
  expect(generateTrees(40)).toEqual(generateTrees(40))
})
