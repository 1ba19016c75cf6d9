import { execFile } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual, promisify } from 'node:util'
import { testSecret } from '#apps/bff/src/testing/instance.ts'
import { startDocket } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import {
  buildInstallation,
  callDocket,
  copyFolder,
  emptyFolder,
  type Installation,
  openDatabases,
  query,
  sweep,
  toEnvironment,
  siteLabel,
  waitForPage,
} from './installation.ts'
import { addBundles } from './many-bundles.ts'
import { playS3 } from './s3.ts'

// What the database doesn't know goes at once, as before.
const fault: Fault = { file: 'shared-store/orphans.ts', instead: 'const maxShare = 0.05', write: 'const maxShare = 1' }
// Each of these alone would still keep it.
const otherGuards: Fault[] = [
  { file: 'shared-store/orphans.ts', instead: "sql`interval '7 days'`", write: "sql`interval '0 days'`" },
  { file: 'shared-store/shared-store.ts', instead: "sql`interval '14 days'`", write: "sql`interval '0 days'`" },
]

const losses = ['database', 'store', 'data folder', 'secret'] as const
type Loss = (typeof losses)[number]

const rows: Loss[][] = [
  ...losses.map((loss) => [loss]),
  ...losses.flatMap((one, at) => losses.slice(at + 1).map((other) => [one, other])),
]

/** `RECOVERY_BUNDLES=10000 pnpm prove recovery` measures the figure of docs/operating.md. */
const many = Number(process.env.RECOVERY_BUNDLES ?? 200)
const barMs = 5 * 60_000
const run = promisify(execFile)
const toSeconds = (ms: number) => (ms / 1000).toFixed(1)
const another = 'another-secret-than-before-0123456789'

/** Files of bundles in a store, with their sizes. */
const listBundles = (store: string): Map<string, number> => {
  const root = join(store, 'sha256')
  const names = readdirSync(root, { recursive: true }) as string[]
  return new Map(names.map((name) => [name, statSync(join(root, name)).size]))
}

const countGone = (before: Map<string, number>, store: string): number => {
  const after = listBundles(store)
  return [...before].reduce((sum, [name, size]) => sum + (after.get(name) === size ? 0 : size + 1), 0)
}

type Built = Awaited<ReturnType<typeof buildInstallation>>
type Databases = Awaited<ReturnType<typeof openDatabases>>

/** Loses parts of an installation and brings them back as docs/operating.md says. */
const playRow = async (lost: readonly Loss[], built: Built, databases: Databases, planted: readonly Fault[]) => {
  const { installation: old, plain, whole } = built
  const has = (loss: Loss) => lost.includes(loss)
  const here: Installation = {
    databaseUrl: await databases.create(has('database') ? undefined : old.databaseUrl),
    dataDir: has('data folder') ? emptyFolder() : copyFolder(old.dataDir),
    store: has('store') ? emptyFolder() : copyFolder(old.store),
    secret: has('secret') ? another : old.secret,
  }
  const env = toEnvironment(here)
  const startedAt = performance.now()
  let refused = true
  if (has('database')) await callDocket(env, planted, 'restore', has('store') ? whole : plain)
  else {
    if (has('store')) await run('tar', ['-xf', whole, '--strip-components=2', '-C', here.store, 'data/artifacts'])
    if (has('data folder')) await run('tar', ['-xf', plain, '--strip-components=1', '-C', here.dataDir, 'data'])
    if (has('secret')) {
      // It says what to do, and changes nothing.
      const said = await callDocket(env, planted, 'start').catch((error: { stderr: string }) => error.stderr)
      refused = said.includes('docket rotate-secret --lost')
      await callDocket(env, planted, 'rotate-secret', '--lost')
    }
  }
  const before = listBundles(here.store)
  const docket = await startDocket(env, planted, '')
  const isServed = await waitForPage(docket, siteLabel, 'published')
  const seconds = (performance.now() - startedAt) / 1000
  const isCodeBack = readdirSync(join(here.dataDir, 'local-admin-api', 'code-host')).includes('id')
  await docket.stop()
  await sweep(here, planted)
  const gone = countGone(before, here.store)
  const [facts] = await query<{ exports: number; stored: number; missing: number; orphans: number }>(
    here,
    `select (select count(*)::int from static_exports) as exports,
      (select count(*)::int from artifacts where state = 'stored') as stored,
      (select count(*)::int from stored_bundles where state = 'missing') as missing,
      (select count(*)::int from stored_bundles where state = 'found') as orphans`,
  )
  const isOlder = has('database')
  const expected = {
    exports: isOlder ? 1 : 2,
    stored: isOlder || has('store') ? 1 : 2,
    missing: has('store') && !isOlder ? 1 : 0,
    orphans: isOlder && !has('store') ? 1 : 0,
  }
  const words = `${facts!.exports} exports, ${facts!.stored} stored, ${facts!.missing} missing, ${facts!.orphans} orphans`
  console.log(`  ${lost.join(' + ')}: served again after ${seconds.toFixed(1)} s; ${words}; ${gone} bytes gone`)
  const isBack = isServed && isCodeBack && isDeepStrictEqual(facts, expected)
  return { ok: isBack && refused && gone === 0, seconds, gone }
}

/** A database without any memory starts on the store, serves, and removes nothing. */
const playUnknown = async ({ installation }: Built, databases: Databases, planted: readonly Fault[]) => {
  const here = { ...installation, databaseUrl: await databases.create(), store: copyFolder(installation.store) }
  const before = listBundles(here.store)
  const docket = await startDocket({ ...toEnvironment(here), DATA_DIR: emptyFolder() }, planted)
  const answer = await docket.client.get('/api/storage')
  await docket.stop()
  await sweep(here, planted)
  const [store] = await query<{ state: string }>(here, 'select state from stores')
  return { ok: answer.status === 200 && store?.state === 'unknown', gone: countGone(before, here.store) }
}

/** All bundles count as missing, and the store has them: how long until a site is served, and until all are adopted. */
const measure = async ({ installation }: Built, databases: Databases, planted: readonly Fault[]) => {
  const here = {
    ...installation,
    databaseUrl: await databases.create(installation.databaseUrl),
    dataDir: copyFolder(installation.dataDir),
    store: copyFolder(installation.store),
  }
  const first = await addBundles(here, many)
  const startedAt = performance.now()
  const docket = await startDocket(toEnvironment(here), planted, '')
  const isServed = await waitForPage(docket, first, 'published', barMs)
  const servedMs = performance.now() - startedAt
  const countMissing = async () =>
    (await query<{ n: number }>(here, `select count(*)::int as n from stored_bundles where state = 'missing'`))[0]!.n
  while ((await countMissing()) > 0 && performance.now() - startedAt < 4 * barMs) await delay(500)
  const adoptedMs = performance.now() - startedAt
  const missing = await countMissing()
  await docket.stop()
  const figure = `with ${many} missing bundles, a site after ${toSeconds(servedMs)} s and all adopted after ${toSeconds(adoptedMs)} s`
  console.log(`  ${figure}`)
  return { ok: isServed && servedMs <= barMs && missing === 0, figure }
}

export const proof: Proof = {
  name: 'recovery',
  bar: 'after each of ten losses, a published site is served again from a backup and what survived, and no byte of the store goes; with many missing bundles, within 5 minutes',
  fault,
  alsoReplaced: otherGuards,
  run: async ({ planted }) => {
    const broken = planted ? [fault, ...otherGuards] : []
    const databases = await openDatabases()
    const built = await buildInstallation(databases, testSecret)
    const played: Awaited<ReturnType<typeof playRow>>[] = []
    for (const lost of rows) {
      const row = await playRow(lost, built, databases, broken)
      played.push(row)
      // One row that notices is enough.
      if (planted && !row.ok) break
    }
    const unknown = await playUnknown(built, databases, broken)
    const good = played.filter(({ ok }) => ok).length
    const slowest = Math.max(...played.map(({ seconds }) => seconds))
    const gone = played.reduce((sum, row) => sum + row.gone, unknown.gone)
    const figure = `${good} of ${rows.length} losses, the slowest served again after ${slowest.toFixed(1)} s; an unknown store ${unknown.ok ? 'waits for an admin' : 'was not noticed'}; ${gone} bytes gone`
    if (good < rows.length || !unknown.ok || gone > 0) return { ok: false, figure }
    const measured = await measure(built, databases, broken)
    const s3 = await playS3(databases, broken)
    return {
      ok: measured.ok && s3 !== false,
      figure: `${figure}; ${measured.figure}; S3: ${s3 === null ? 'no Swift here' : s3 ? 'restored' : 'not restored'}`,
    }
  },
}
