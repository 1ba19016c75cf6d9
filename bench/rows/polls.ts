import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { seedRecordsAt } from '#apps/bff/src/testing/seed-records.ts'
import { expectStatuses, load, withCpu } from '#bench/harness/clients.ts'
import { startNginx } from '#bench/harness/nginx.ts'
import { startScript, type BenchProcess } from '#bench/harness/processes.ts'
import { digits, line, type Line, type Row } from '#bench/harness/row.ts'
import { asBehind, ask } from '#bench/harness/sessions.ts'
import { inTurns, median } from '#bench/harness/statistics.ts'
import type { World } from '#bench/harness/world.ts'

const path = '/api/static-exports'
const bareServer = join(import.meta.dirname, '..', 'servers', 'bare-server.ts')
const fewRecords = 100
const manyRecords = 100_000

const readHeaders = async (url: string) => (await ask(url)).headers

const quality = 5
const brotliBytes = (text: string) =>
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }).length

/** CPU microseconds of one request, of the server and of the database apart. */
const perRequest = async (server: BenchProcess, database: number, url: string, requests: number, tag?: string) => {
  const { result, cpu } = await withCpu([server.pid, database], () =>
    load({ urls: [url], connections: 8, requests, headers: tag === undefined ? {} : { 'If-None-Match': tag } }),
  )
  expectStatuses(result, tag === undefined ? 200 : 304)
  return { server: (cpu[0]! / requests) * 1e6, database: (cpu[1]! / requests) * 1e6 }
}

/** nginx with a cache before a Docket: it answers the same bytes, and 304 to the same tag, without asking Docket. */
const cacheBefore = (world: World, docket: BenchProcess) =>
  startNginx(world.folder, 'cache', {
    http: `proxy_cache_path ${world.folder}/cache/stored keys_zone=bench:10m;`,
    server: `location / { proxy_pass ${docket.address}; proxy_cache bench; proxy_cache_lock on; proxy_cache_valid 200 1h;
      proxy_ignore_headers Cache-Control Expires Vary; proxy_http_version 1.1; proxy_set_header Connection ""; }`,
  })

/** Bytes on the wire. */
const sizes = async (docket: BenchProcess): Promise<Line[]> => {
  const full = await ask(docket.address + path)
  const page = await full.text()
  const again = { headers: { 'if-none-match': full.headers.get('etag') ?? '' } }
  const unchanged = (await (await ask(docket.address + path, again)).arrayBuffer()).byteLength
  const checks = await (await ask(`${docket.address}${path}/checks`)).text()
  return [
    line(
      'a page of 50 exports, brotli: bytes',
      String(brotliBytes(page)),
      `${page.length} as JSON`,
      brotliBytes(page),
      {
        atMost: 5_000,
      },
    ),
    line(
      'its check times, brotli: bytes',
      String(brotliBytes(checks)),
      `${checks.length} as JSON`,
      brotliBytes(checks),
    ),
    line('a poll of an unchanged page: bytes in the body', String(unchanged), '', unchanged, { atMost: 0 }),
  ]
}

/** Measures the cost of polling without changes, and of a page. */
export const polls: Row = {
  name: 'polls',
  title: 'Polls',
  method: `Keep-alive connections request the first page of exports. The kernel reports the server's CPU time, with PostgreSQL counted separately. The reference for a poll that returns 304 is nginx with \`proxy_cache\` and \`proxy_cache_lock\` that has cached the same response. For a full page, it's a Node server that only sends the same bytes. Brotli runs at quality ${quality}.`,
  run: async (world) => {
    const databases = await world.databases()
    const seeded = (count: number) =>
      databases.database((url) => seedRecordsAt(url, { exports: count, jobs: 100, active: 0, now: Date.now() }))
    const few = await world.docket(await seeded(fewRecords))
    const many = await world.docket(await seeded(manyRecords))
    const cache = world.nginx === null ? null : await cacheBefore(world, few)
    if (cache !== null) asBehind(cache.address, few.address)
    const text = await (await ask(few.address + path)).text()
    const bare = await startScript(bareServer, { answers: { [path]: { type: 'application/json', text } } })
    const readTag = async (server: BenchProcess) => (await readHeaders(server.address + path)).get('etag') ?? ''
    const tags = {
      few: await readTag(few),
      many: await readTag(many),
      cache: cache === null ? '' : await readTag(cache),
    }
    const [requests, pages] = world.quick ? [6_000, 1_500] : [30_000, 5_000]
    const poll = (server: BenchProcess, tag: string) => () =>
      perRequest(server, databases.pid, server.address + path, requests, tag)
    const measured = await inTurns(world.quick ? 3 : 7, {
      few: poll(few, tags.few),
      many: poll(many, tags.many),
      cache: cache === null ? async () => ({ server: NaN, database: NaN }) : poll(cache, tags.cache),
      page: () => perRequest(many, databases.pid, many.address + path, pages),
      bare: () => perRequest(bare, databases.pid, bare.address + path, pages),
    })
    const readMedian = (name: keyof typeof measured, who: 'server' | 'database' = 'server') =>
      median(measured[name].map((one) => one[who]))
    const lines = [
      line(
        'a poll that returns 304, requests per CPU second',
        digits(1e6 / readMedian('few')),
        cache === null ? 'nginx is not installed' : `nginx cache ${digits(1e6 / readMedian('cache'))}`,
        cache === null ? null : readMedian('cache') / readMedian('few'),
        { atLeast: 0.15 },
      ),
      line(
        'the same, PostgreSQL: µs of CPU each',
        digits(readMedian('few', 'database')),
        '',
        readMedian('few', 'database'),
      ),
      line(
        `a poll with ${manyRecords.toLocaleString('en')} exports: µs of CPU`,
        digits(readMedian('many')),
        `with ${fewRecords}: ${digits(readMedian('few'))}`,
        readMedian('many') / readMedian('few'),
        { atMost: 1.1 },
      ),
      line(
        'a full page of 50: µs of CPU',
        digits(readMedian('page')),
        `bare Node ${digits(readMedian('bare'))}`,
        readMedian('page') / readMedian('bare'),
      ),
      line(
        'the same, PostgreSQL: µs of CPU each',
        digits(readMedian('page', 'database')),
        '',
        readMedian('page', 'database'),
      ),
      ...(await sizes(many)),
    ]
    for (const server of [few, many, bare, ...(cache === null ? [] : [cache])]) await server.stop()
    return lines
  },
}
