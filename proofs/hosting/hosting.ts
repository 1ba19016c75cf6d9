import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { packSite, siteAdmin } from '#bench/harness/hosted-site.ts'
import { openReplicas } from '#proofs/durability/replicas.ts'
import { temporaryFolder } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { openReader, type Seen } from './reader.ts'

const readers = 50
const moveMs = 250
/** More than the releases that hosting still serves, so that a page load has to end in time. */
const versions = 8

const fault: Fault = {
  file: 'releases/hosting/serve-hosted.ts',
  instead: 'isPart === false ? current : own',
  write: 'current',
}

const build = (version: number) =>
  packSite({
    'index.html': `<title>${version}</title><link href=/style.css><script src=/app.3f2a9c1${version}.js></script>`,
    'style.css': `/* ${version} */`,
    'data.json': `{"version":${version}}`,
    [`app.3f2a9c1${version}.js`]: `version = ${version}`,
    'large.bin': Buffer.from(String(version).repeat(40_000)),
    // Stored as it is, because nothing in it can be compressed.
    'picture.png': Buffer.concat([Buffer.from([version]), randomBytes(60_000), Buffer.from([version])]),
  })

/** Readers load pages at real servers, each request at another one, while somebody publishes and rolls back at any of them. */
const readDuring = async (bundles: readonly Buffer[], servers: number, moves: number, planted: readonly Fault[]) => {
  const replicas = await openReplicas('http://127.0.0.1:1', { callsPerHour: 1_000, faults: planted })
  const store = { ARTIFACT_STORE_DIR: join(temporaryFolder(), 'artifacts') }
  const dockets = []
  for (let server = 0; server < servers; server += 1) dockets.push(await replicas.start(store))
  const admins = dockets.map(({ client }) => siteAdmin(client))
  const toAdmin = (turn: number) => admins[turn % admins.length]!
  const exportIds: string[] = []
  let siteId = ''
  for (const bundle of bundles) {
    const uploaded = await toAdmin(exportIds.length).upload('docs.example.com', bundle)
    exportIds.push(uploaded.exportId)
    siteId = uploaded.siteId
  }
  await toAdmin(0).publish(siteId, 'production', exportIds[1]!)
  await toAdmin(0).open(siteId, 'production', 'public')
  // A hostname that nobody hosts yet counts for a second.
  await delay(1_100)

  const seen: Seen = { pages: 0, versions: new Set(), mixed: 0, missing: 0, failedResumes: 0 }
  const ports = dockets.map(({ client }) => Number(new URL(client.url).port))
  let isOver = false
  const reading = Array.from({ length: readers }, async (_, at) => {
    const reader = openReader(ports, seen, at)
    while (!isOver) {
      await reader.load()
      await delay(100)
    }
    reader.close()
  })
  let [moved, rolledBack] = [1, 0]
  for (let move = 2; move <= moves + 1; move += 1) {
    const admin = toAdmin(move)
    const isRollback = move % 5 === 0
    if (isRollback) rolledBack += 1
    moved = isRollback
      ? await admin.rollBack(siteId, 'production')
      : await admin.publish(siteId, 'production', exportIds[move % versions]!)
    await delay(moveMs)
  }
  isOver = true
  await Promise.all(reading)
  for (const docket of dockets) await docket.stop()
  return { seen, moved: moved - 1, rolledBack }
}

export const proof: Proof = {
  name: 'hosting',
  bar: `${readers} readers during publications and rollbacks, at one server and at three on one database and one store: no page mixes two releases, no file is missing, no resume fails`,
  fault,
  run: async ({ planted, quick }) => {
    const moves = quick ? 20 : 100
    const bundles = await Promise.all(Array.from({ length: versions }, (_, at) => build(at + 1)))
    const rounds: ({ servers: number } & Awaited<ReturnType<typeof readDuring>>)[] = []
    for (const servers of [1, 3])
      rounds.push({ servers, ...(await readDuring(bundles, servers, moves, planted ? [fault] : [])) })
    const describe = ({ servers, seen, moved, rolledBack }: (typeof rounds)[number]) =>
      `at ${servers}: ${seen.pages} pages of ${seen.versions.size} releases during ${moved} moves, ${rolledBack} of them rollbacks: ${seen.mixed} mixed, ${seen.missing} missing, ${seen.failedResumes} failed resumes`
    return {
      ok: rounds.every(
        ({ seen, moved }) =>
          seen.mixed + seen.missing + seen.failedResumes === 0 && seen.versions.size > 2 && moved === moves,
      ),
      figure: rounds.map(describe).join('; '),
    }
  },
}
