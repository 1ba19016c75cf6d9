import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { listenHere } from '#bench/harness/processes.ts'
import { onEnd } from '#bench/harness/cleanup.ts'
import { startDatabaseServer } from '#bench/harness/database.ts'
import { openPool } from '#apps/bff/src/ground/db/pool.ts'
import { dataFolder, temporaryFolder } from '#proofs/harness/docket.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { plantedEnvironment, type Fault } from '#proofs/harness/plant.ts'

const fault: Fault = {
  file: 'storing/store-bundle.ts',
  instead: '    await storage.put(key, path, { link: path === file })\n',
  write: "    if (!key.endsWith('/bundle')) await storage.put(key, path, { link: path === file })\n",
}

const worker = new URL('storing-worker.ts', import.meta.url).pathname
const objects = ['bundle', 'manifest.json.gz', 'report.json.gz', 'site.zip']
const bundleBytes = 400_000
const sweepMs = 180_000

/** Bytes of an export. Every fourth one has those of the one before. */
const makeBundle = (number: number) => Buffer.alloc(bundleBytes, `bundle ${number - (number % 4 === 3 ? 1 : 0)} `)
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** A storage that takes about 100 ms to send a bundle, and counts. */
const openSource = async () => {
  const bundles = new Map<string, Buffer>()
  const fetches = new Map<string, number>()
  const server = createServer(async ({ url = '' }, response) => {
    const exportId = url.slice(1)
    const bytes = bundles.get(exportId)!
    fetches.set(exportId, (fetches.get(exportId) ?? 0) + 1)
    response.setHeader('content-length', bytes.length)
    for (let at = 0; at < bytes.length; at += 40_000) {
      response.write(bytes.subarray(at, at + 40_000))
      await delay(10)
    }
    response.end()
  })
  return { bundles, fetches, url: `http://127.0.0.1:${await listenHere(server)}` }
}

/** Processes that store bundles are killed at any moment; then three at once share the work. */
export const proof: Proof = {
  name: 'storing',
  bar: 'after 30 kill -9 while bundles are stored, no half copy is shown as whole and the sweep leaves no orphan; three replicas fetch each bundle once',
  fault,
  run: async ({ planted, quick }) => {
    const kills = quick ? 6 : 30
    const [folder, store] = [dataFolder(), temporaryFolder()]
    const server = await startDatabaseServer(temporaryFolder())
    const databaseUrl = await server.database()
    const client = openPool({ connectionString: databaseUrl, max: 2 }, { warn: () => {} })
    onEnd(() => client.end())
    const source = await openSource()
    const env = {
      ...process.env,
      ...plantedEnvironment(planted ? [fault] : []),
      DATABASE_URL: databaseUrl,
      FOLDER: folder,
      STORE: join(store, 'artifacts'),
      SOURCE: source.url,
    }
    const start = (...args: string[]): ChildProcess => {
      const child = spawn(process.execPath, [worker, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] })
      onEnd(() => void child.kill('SIGKILL'))
      return child
    }
    const kill = async (child: ChildProcess) => {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    }
    let made = 0
    const complete = async () => {
      const exportId = randomUUID()
      source.bundles.set(exportId, makeBundle(made))
      made += 1
      await client.query(
        `with e as (insert into static_exports (export_id, domain, state, job_id, started_at, finished_at)
            values ($1::uuid, 'docs.example.com', 'completed', $1::uuid::text, now(), now()) returning connection_id),
          s as (insert into sites (connection_id, domain, created_at) select connection_id, 'docs.example.com', now() from e
            on conflict (connection_id, domain) do update set domain = excluded.domain returning site_id)
        insert into artifacts (export_id, site_id, state) select $1::uuid, site_id, 'storing' from s`,
        [exportId],
      )
      return exportId
    }
    const countStoring = async () =>
      (await client.query<{ n: number }>(`select count(*)::int as n from artifacts where state = 'storing'`)).rows[0]!.n
    /** Copies that are shown as stored and are not byte for byte those of the service. */
    const findHalf = async () => {
      const { rows } = await client.query<{ id: string; sum: string }>(
        `select export_id as id, a.sha256 as sum from artifacts a join stored_bundles b using (sha256) where a.state = 'stored'`,
      )
      let half = 0
      for (const { id, sum } of rows) {
        const parts = objects.map((name) =>
          readFile(join(store, 'artifacts', 'sha256', sum, name)).then(hash, () => ''),
        )
        const expected = hash(source.bundles.get(id)!)
        if (sum !== expected || (await Promise.all(parts)).some((part) => part !== expected)) half += 1
      }
      return half
    }

    let half = 0
    let interrupted = 0
    for (let round = 0; round < kills; round += 1) {
      const exportId = await complete()
      await complete()
      const child = start('alone')
      while (!source.fetches.has(exportId) && child.exitCode === null) await delay(5)
      await delay(Math.random() * 400)
      await kill(child)
      if ((await countStoring()) > 0) interrupted += 1
      half += await findHalf()
      // Some exports are deleted for good meanwhile, by a process that knows nothing of bundles.
      if (round % 5 === 4) await client.query(`delete from static_exports where export_id = $1`, [exportId])
      if (round % 5 === 4) await client.query(`delete from artifacts where export_id = $1`, [exportId])
    }
    const settle = async (workers: ChildProcess[]) => {
      const deadline = Date.now() + 120_000
      while ((await countStoring()) > 0 && Date.now() < deadline) await delay(100)
      await Promise.all(workers.map(kill))
    }
    await settle([start('alone')])
    source.fetches.clear()
    const shared = await Promise.all(Array.from({ length: quick ? 4 : 12 }, complete))
    await settle(['replica', 'replica', 'replica'].map((name) => start(name)))
    const twice = shared.filter((exportId) => source.fetches.get(exportId) !== 1).length
    half += await findHalf()

    await client.query(
      `update stored_bundles set released_at = 'epoch' where not exists (select from artifacts a where a.sha256 = stored_bundles.sha256)`,
    )
    const { rows } = await client.query<{ sha256: string }>(
      `select distinct sha256 from artifacts where state = 'stored'`,
    )
    const expected = new Set(rows.flatMap(({ sha256 }) => objects.map((name) => `artifacts/sha256/${sha256}/${name}`)))
    const listFolder = async (place: string): Promise<string[]> => {
      const entries = await readdir(place, { recursive: true, withFileTypes: true }).catch(
        (error: NodeJS.ErrnoException) => {
          // The sweep removed a folder meanwhile.
          if (error.code === 'ENOENT') return null
          throw error
        },
      )
      if (entries === null) return listFolder(place)
      return entries
        .filter((entry) => entry.isFile() && entry.name !== '.docket-storage')
        .map(({ parentPath, name }) => join(parentPath, name).slice(place.length + 1))
    }
    const listFiles = async () => (await Promise.all([folder, store].map(listFolder))).flat()
    const listOrphans = async () => (await listFiles()).filter((file) => !expected.has(file))
    const sweeper = start('alone', 'sweep')
    const deadline = Date.now() + sweepMs
    while ((await listOrphans()).length > 0 && Date.now() < deadline) await delay(200)
    await kill(sweeper)
    const orphans = await listOrphans()
    const files = await listFiles()
    const missing = [...expected].filter((file) => !files.includes(file)).length
    const waiting = await countStoring()
    return {
      ok:
        half === 0 && orphans.length === 0 && missing === 0 && twice === 0 && waiting === 0 && interrupted > kills / 3,
      figure: `${interrupted} of ${kills} kills interrupted a bundle: ${half} half copies shown as whole, ${orphans.length} orphans${orphans.length === 0 ? '' : ` (${orphans.join(', ')})`}, ${missing} objects missing, ${waiting} bundles unfinished; ${twice} of ${shared.length} bundles fetched more than once by three replicas`,
    }
  },
}
