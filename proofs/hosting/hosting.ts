import { setTimeout as delay } from 'node:timers/promises'
import { onEnd } from '#bench/harness/cleanup.ts'
import { runSql, startDatabaseServer } from '#bench/harness/database.ts'
import { siteInMemory } from '#packages/site-bundle/src/testing/site-in-memory.ts'
import { temporaryFolder } from '#proofs/harness/docket.ts'
import { plant, type Fault } from '#proofs/harness/plant.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { openReader, type Seen } from './reader.ts'

const readers = 50
const moveMs = 150
/** More than the releases that hosting still serves, so that a page load has to end in time. */
const versions = 8
const connectionId = '33333333-3333-4333-8333-333333333333'

const faults: Fault[] = [
  {
    file: 'hosting/serve-hosted.ts',
    instead: 'isPart === false ? current : own',
    write: 'current',
  },
]

const findSum = (version: number) => String(version).repeat(64)
const build = (version: number) =>
  siteInMemory({
    'index.html': `<title>${version}</title><link href=/style.css><script src=/app.3f2a9c1${version}.js></script>`,
    'style.css': `/* ${version} */`,
    'data.json': `{"version":${version}}`,
    [`app.3f2a9c1${version}.js`]: `version = ${version}`,
    'large.bin': Buffer.from(String(version).repeat(40_000)),
  })

const prepare = `
  insert into connections (connection_id, name, kind, source, base_url, deployment_kind, calls_per_hour, timeout_ms, agent_job_creation)
    values ('${connectionId}', 'Proof', 'service', 'environment', 'http://127.0.0.1:1', 'cloud', 3600, 30000, false);
  insert into sites (connection_id, domain, created_at) values ('${connectionId}', 'docs.example.com', now());
  insert into stored_bundles (sha256, ending, size_bytes, stored_bytes, content_bytes, files, pages, stored_at)
    select repeat(n::text, 64), '.zip', 1, 1, 1, 1, 1, now() from generate_series(1, ${versions}) n;
  update channels set access = 'public'`

const release = (number: number, version: number) => `
  with released as (
    insert into releases (channel_id, number, kind, sha256, sum, export_id, pages, released_at, by_kind, by_name)
    select channel_id, ${number}, 'promotion', '${findSum(version)}', '${findSum(version)}', gen_random_uuid(), 1, clock_timestamp(), 'person', 'Ada'
    from channels where name = 'production' returning release_id)
  update channels set current_release_id = (select release_id from released), version = version + 1 where name = 'production'`

/** Readers load pages at `replicas` servers, each request at another one, while somebody promotes and rolls back. */
const readDuring = async (databaseUrl: string, replicas: number, moves: number): Promise<Seen> => {
  const { startHostingStand } = await import('#apps/bff/src/testing/hosting-stand.ts')
  const bundles = Array.from({ length: versions }, (_, at) => build(at + 1))
  const open = (sha256: string) => bundles[Number(sha256[0]) - 1]!
  const stands = await Promise.all(Array.from({ length: replicas }, () => startHostingStand(databaseUrl, open)))
  for (const stand of stands) onEnd(stand.close)
  await runSql({ connectionString: databaseUrl }, prepare)
  await runSql({ connectionString: databaseUrl }, release(1, 1))
  const seen: Seen = { pages: 0, versions: new Set(), mixed: 0, missing: 0, failedResumes: 0 }
  const ports = stands.map(({ port }) => port)
  let isOver = false
  const reading = Array.from({ length: readers }, async (_, at) => {
    const reader = openReader(ports, seen, at)
    while (!isOver) {
      await reader.load()
      await delay(100)
    }
    reader.close()
  })
  for (let number = 2; number <= moves + 1; number += 1) {
    // Every fifth goes back to the release before.
    const version = (number % 5 === 0 ? number - 2 : number) % versions
    await runSql({ connectionString: databaseUrl }, release(number, version + 1))
    await delay(moveMs)
  }
  isOver = true
  await Promise.all(reading)
  return seen
}

export const proof: Proof = {
  name: 'hosting',
  bar: `${readers} readers during promotions and rollbacks, at one server and at three with caches of their own on one database: no page mixes two releases, no file is missing, no resume fails`,
  faults,
  run: async ({ planted, quick }) => {
    if (planted) plant(faults)
    const databases = await startDatabaseServer(temporaryFolder())
    const moves = quick ? 20 : 100
    const all: Seen[] = []
    for (const replicas of [1, 3]) all.push(await readDuring(await databases.database(), replicas, moves))
    const count = (which: 'pages' | 'mixed' | 'missing' | 'failedResumes') =>
      all.reduce((sum, seen) => sum + seen[which], 0)
    const wrong = count('mixed') + count('missing') + count('failedResumes')
    return {
      ok: wrong === 0 && all.every((seen) => seen.versions.size > 1),
      figure: `${count('pages')} pages during ${moves} moves each: ${count('mixed')} mixed, ${count('missing')} missing, ${count('failedResumes')} failed resumes`,
    }
  },
}
