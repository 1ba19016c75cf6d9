import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { getRequest, keepAlive } from '#bench/servers/keep-alive.ts'
import { expectStatuses, load, withCpu } from '#bench/harness/clients.ts'
import { docketClient } from '#apps/bff/src/testing/docket-client.ts'
import { packSite, siteAdmin } from '#bench/harness/hosted-site.ts'
import { startNginx } from '#bench/harness/nginx.ts'
import type { BenchProcess } from '#bench/harness/processes.ts'
import { digits, line, type Line, type Row } from '#bench/harness/row.ts'
import { cookieFor } from '#bench/harness/sessions.ts'
import { inTurns, median } from '#bench/harness/statistics.ts'
import { memoryMb } from '#bench/harness/usage.ts'
import type { World } from '#bench/harness/world.ts'
import { generateSite } from '#packages/site-bundle/src/comparison/testing/generated-site.ts'

const pages = 10_000
/** Pages that everybody reads. */
const popular = 200

const toPaths = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `/guide/page-${from + at}`)

/** Writes the files of a site beside their gzip, as `gzip_static` expects them. */
const unpack = (folder: string, files: ReadonlyMap<string, string>) => {
  for (const [path, content] of files) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
  }
}

/** A Docket that hosts a site, and an nginx with its files. */
const setUp = async (world: World) => {
  const files = generateSite({ pages: pages + popular, build: 'first' })
  const folder = join(world.folder, 'hosted')
  unpack(folder, files)
  const nginx = await startNginx(world.folder, 'hosted-nginx', {
    server: `root ${folder}; gzip_static on; default_type text/html; try_files $uri $uri.html =404;`,
  })
  const docket = await world.docket(await (await world.databases()).database())
  const admin = siteAdmin(docketClient(docket.address, cookieFor(docket.address)['cookie']))
  const { exportId, siteId } = await admin.upload('docs.example.com', await packSite(Object.fromEntries(files)))
  await admin.open(siteId, 'production', 'public')
  await admin.publish(siteId, 'production', exportId)
  return { docket, nginx }
}

/** What a browser sends that has read a page before, and the tag of that page. */
const readFirstPage = async ({ address }: BenchProcess) => {
  const { hostname, port } = new URL(address)
  const headers = {
    Host: `docs-example-com.localhost:${port}`,
    'Accept-Encoding': 'gzip, deflate, br, zstd',
    'Sec-Fetch-Dest': 'document',
    'Sec-Fetch-Mode': 'navigate',
    'Sec-Fetch-Site': 'same-origin',
  }
  const connection = await keepAlive(hostname, Number(port))
  const { status, head } = await connection.ask(getRequest(new URL(`${address}/guide/page-0`), headers))
  connection.close()
  if (status !== 200 || !/\r\ncontent-encoding: gzip\r\n/i.test(head)) throw new Error(`no page in gzip: ${head}`)
  const cookie = /\r\nset-cookie: ([^;]*)/i.exec(head)?.[1] ?? ''
  return { headers: { ...headers, Cookie: cookie }, tag: /\r\netag: (.*)\r\n/i.exec(head)?.[1] ?? '' }
}

/** Pages of a hosted channel, against nginx with the same files. */
export const hosting: Row = {
  name: 'hosting',
  title: 'Hosted sites',
  method: `Docket hosts a site of ${pages.toLocaleString('en')} pages in public. nginx serves the same files, unpacked, with \`gzip_static\`. Both get the headers of a browser, in turns. Keep-alive connections ask for ${popular} pages. The kernel reports the CPU time. The first byte is that of one connection. Memory is PSS, while pages are read that nobody asked for earlier: V8 lets its heap grow over the first thousands before it collects.`,
  run: async (world) => {
    if (world.nginx === null) return [line('hosted sites', '–', 'nginx is not installed', null)]
    const servers = await setUp(world)
    const asked = { docket: await readFirstPage(servers.docket), nginx: await readFirstPage(servers.nginx) }
    type Name = keyof typeof servers
    const toUrls = (name: Name, paths: readonly string[]) => paths.map((path) => servers[name].address + path)
    const perCpuSecond = async (name: Name, requests: number, isKnown: boolean) => {
      const { headers, tag } = asked[name]
      const urls = toUrls(name, toPaths(0, isKnown ? 1 : popular))
      const more = isKnown ? { 'If-None-Match': tag } : {}
      const { result, cpu } = await withCpu([servers[name].pid], () =>
        load({ urls, headers: { ...headers, ...more }, connections: 8, requests }),
      )
      expectStatuses(result, isKnown ? 304 : 200)
      return requests / cpu[0]!
    }
    const firstByte = async (name: Name, requests: number) => {
      const urls = toUrls(name, toPaths(0, popular))
      const result = await load({ urls, headers: asked[name].headers, connections: 1, requests })
      expectStatuses(result, 200)
      return median(result.latencies)
    }
    try {
      const requests = world.quick ? 10_000 : 30_000
      const rounds = world.quick ? 3 : 7
      const compare = async (what: string, measure: (name: Name) => Promise<number>, bar: object): Promise<Line> => {
        const measured = await inTurns(rounds, { docket: () => measure('docket'), nginx: () => measure('nginx') })
        const [own, other] = [median(measured.docket), median(measured.nginx)]
        return line(what, digits(own), `nginx with gzip_static ${digits(other)}`, own / other, bar)
      }
      const lines = [
        await compare('a page in gzip: requests per CPU second', (name) => perCpuSecond(name, requests, false), {
          atLeast: 0.3,
        }),
        await compare('304: requests per CPU second', (name) => perCpuSecond(name, requests, true), { atLeast: 0.3 }),
        await compare('a page in gzip: ms to its first byte', (name) => firstByte(name, requests / 10), {
          atMost: 1.5,
        }),
      ]
      const half = pages / 2
      const before = memoryMb(servers.docket.pid)
      const readTo = async (first: number) => {
        const urls = toUrls('docket', toPaths(first, first + half))
        expectStatuses(await load({ urls, headers: asked.docket.headers, connections: 8, requests: half }), 200)
        return memoryMb(servers.docket.pid)
      }
      const afterHalf = await readTo(popular)
      const after = await readTo(popular + half)
      const [all, some] = [pages, half].map((count) => count.toLocaleString('en'))
      return [
        ...lines,
        line(`memory after ${all} other pages: MB`, digits(after), `before ${digits(before)}`, after - before),
        line(`the same, beyond ${some}: MB`, digits(after), `after ${some}: ${digits(afterHalf)}`, after - afterHalf, {
          atMost: 50,
        }),
      ]
    } finally {
      for (const server of Object.values(servers)) await server.stop()
    }
  },
}
