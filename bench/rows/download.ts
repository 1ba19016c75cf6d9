import { createWriteStream, utimesSync, writeFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { localhostCertificate } from '#packages/code-hosts/src/testing/certificate.ts'
import { change, load, readFiles, withCpu } from '#bench/harness/clients.ts'
import { startNginx } from '#bench/harness/nginx.ts'
import type { BenchProcess } from '#bench/harness/processes.ts'
import { digits, line, type Line, type Row } from '#bench/harness/row.ts'
import { inTurns, median } from '#bench/harness/statistics.ts'
import { memoryMb } from '#bench/harness/usage.ts'
import type { World } from '#bench/harness/world.ts'

const mib = 1_048_576
const readers = 64
const slowBytesPerSecond = 4_000_000

const makeFile = async (file: string, sizeBytes: number) => {
  const { bavail, bsize } = await statfs(join(file, '..'))
  if (bavail * bsize < sizeBytes + 512 * mib) throw new Error('There is too little room for the file on the disk.')
  const block = randomBytes(16 * mib)
  const stream = createWriteStream(file)
  for (let sentBytes = 0; sentBytes < sizeBytes; sentBytes += block.length)
    if (!stream.write(block)) await new Promise<void>((resolve) => void stream.once('drain', resolve))
  stream.end()
  await finished(stream)
}

// As an operator would tune it for large files: large buffers, nothing on disk, connections kept.
const tuned = `proxy_buffering on; proxy_buffer_size 64k; proxy_buffers 8 256k; proxy_busy_buffers_size 512k;
  proxy_max_temp_file_size 0; proxy_http_version 1.1; proxy_set_header Connection "";`

const imported = async (docket: BenchProcess, jobId: string): Promise<string> => {
  const started = await change(docket, '/api/static-exports/import', { jobId, domain: `${jobId}.example.com` })
  const { exportId } = (started as { export: { exportId: string } }).export
  return `${docket.address}/api/static-exports/${exportId}/download`
}

/** Storage with and without TLS, a proxy before each, and a Docket whose exports have their bundles there. */
const setUp = async (world: World, sizeBytes: number) => {
  const file = join(world.folder, 'bundle.tar.gz')
  await makeFile(file, sizeBytes)
  const [cert, key] = [join(world.folder, 'cert.pem'), join(world.folder, 'key.pem')]
  writeFileSync(cert, localhostCertificate.cert)
  writeFileSync(key, localhostCertificate.key)
  const plain = await startNginx(world.folder, 'storage', { server: `root ${world.folder};` })
  const secure = await startNginx(world.folder, 'storage-tls', {
    server: `root ${world.folder};`,
    listen: `ssl; ssl_certificate ${cert}; ssl_certificate_key ${key}`,
  })
  const secureAddress = secure.address.replace('http://127.0.0.1', 'https://localhost')
  const proxy = await startNginx(world.folder, 'proxy', {
    server: `location / { proxy_pass ${plain.address}; ${tuned} }`,
  })
  const proxyTls = await startNginx(world.folder, 'proxy-tls', {
    server: `location / { proxy_pass ${secureAddress.replace('localhost', '127.0.0.1')}; ${tuned}
      proxy_ssl_trusted_certificate ${cert}; proxy_ssl_verify on; proxy_ssl_name localhost; }`,
  })
  const bundles = { plain: `${plain.address}/bundle.tar.gz`, tls: `${secureAddress}/bundle.tar.gz` }
  await fetch(`${(await world.adminApi()).address}/bench`, { method: 'POST', body: JSON.stringify({ bundles }) })
  const docket = await world.docket(await (await world.databases()).database(), {
    BUNDLE_HOSTS: [plain.address, secureAddress].map((address) => new URL(address).host).join(','),
    NODE_EXTRA_CA_CERTS: cert,
  })
  return {
    docket,
    proxies: { plain: proxy, tls: proxyTls },
    downloads: { plain: await imported(docket, 'plain'), tls: await imported(docket, 'tls') },
    /** Makes the bundle another version, whose SHA-256 nobody knows. */
    renew: () => utimesSync(file, new Date(), new Date()),
    stop: async () => {
      for (const server of [docket, proxy, proxyTls, plain, secure]) await server.stop()
    },
  }
}
type Setup = Awaited<ReturnType<typeof setUp>>

const whole = async (pid: number, url: string, sizeBytes: number) => {
  const { result, cpu } = await withCpu([pid], () => readFiles({ url, readers: 1 }))
  if (result.bytes < sizeBytes || result.statuses.some((status) => status !== 200))
    throw new Error(`the download of ${url} broke off: ${JSON.stringify(result)}`)
  return { mbPerSecond: result.bytes / 1e6 / result.seconds, cpu: cpu[0]! }
}

const speed = async (
  world: World,
  { docket, proxies, downloads, renew }: Setup,
  sizeBytes: number,
): Promise<Line[]> => {
  const lines: Line[] = []
  const size = sizeBytes >= 1024 * mib ? '1 GiB' : `${sizeBytes / mib} MiB`
  for (const kind of ['plain', 'tls'] as const) {
    const measured = await inTurns(world.quick ? 3 : 7, {
      nginx: () => whole(proxies[kind].pid, `${proxies[kind].address}/bundle.tar.gz`, sizeBytes),
      first: async () => {
        renew()
        return whole(docket.pid, downloads[kind], sizeBytes)
      },
      later: () => whole(docket.pid, downloads[kind], sizeBytes),
    })
    const readMedian = (name: 'nginx' | 'first' | 'later', what: 'mbPerSecond' | 'cpu') =>
      median(measured[name].map((one) => one[what]))
    const storage = kind === 'tls' ? 'https storage' : 'http storage'
    const [rate, cpu] = [readMedian('nginx', 'mbPerSecond'), readMedian('nginx', 'cpu')]
    const show = (name: 'first' | 'later', title: string, bars: boolean) => [
      line(
        `${size} from ${storage}, ${title}: MB/s`,
        digits(readMedian(name, 'mbPerSecond')),
        `nginx proxy_pass ${digits(rate)}`,
        readMedian(name, 'mbPerSecond') / rate,
        bars ? { atLeast: 0.9 } : {},
      ),
      line(
        `${size} from ${storage}, ${title}: CPU seconds`,
        digits(readMedian(name, 'cpu')),
        `nginx proxy_pass ${digits(cpu)}`,
        readMedian(name, 'cpu') / cpu,
        bars ? { atMost: 1.5 } : {},
      ),
    ]
    lines.push(...show('later', 'SHA-256 known', true), ...show('first', 'SHA-256 computed', false))
  }
  return lines
}

/** The most memory `pid` has while `work` runs, looked at ten times a second. MB. */
const peakMb = async (pid: number, work: Promise<unknown>): Promise<number> => {
  let peak = 0
  let done = false
  void work.finally(() => (done = true)).catch(() => {})
  while (!done) {
    peak = Math.max(peak, memoryMb(pid))
    await delay(100)
  }
  await work
  return peak
}

const memory = async (world: World, { docket, proxies, downloads }: Setup): Promise<Line[]> => {
  // Memory left by the first requests belongs to any server, not to the download.
  await load({ urls: [`${docket.address}/api/static-exports`], connections: 4, requests: 500 })
  await delay(2_000)
  const idle = memoryMb(docket.pid)
  const one = await peakMb(docket.pid, readFiles({ url: downloads.plain, readers: 1 }))
  const seconds = world.quick ? 5 : 15
  const slow = (url: string) => readFiles({ url, readers, bytesPerSecond: slowBytesPerSecond, seconds })
  let peak = 0
  const { result, cpu } = await withCpu([docket.pid], async () => {
    const reading = slow(downloads.plain)
    peak = await peakMb(docket.pid, reading)
    return reading
  })
  const reference = await withCpu([proxies.plain.pid], () => slow(`${proxies.plain.address}/bundle.tar.gz`))
  const rate = (bytes: number) => digits(bytes / readers / seconds / 1e6)
  return [
    line('memory while one download runs, beyond idle: MB', digits(one), `idle ${digits(idle)}`, one - idle, {
      atMost: 16,
    }),
    line(
      `memory for each of ${readers} slow readers, beyond idle: MB`,
      digits(peak),
      `idle ${digits(idle)}`,
      (peak - idle) / readers,
      {
        atMost: 2,
      },
    ),
    line(
      `${readers} readers at 4 MB/s: MB/s each`,
      rate(result.bytes),
      `nginx proxy_pass ${rate(reference.result.bytes)}`,
      result.bytes / reference.result.bytes,
      { atLeast: 0.9 },
    ),
    line(
      `${readers} readers at 4 MB/s, ${seconds} s: CPU seconds`,
      digits(cpu[0]!),
      `nginx proxy_pass ${digits(reference.cpu[0]!)}`,
      cpu[0]! / reference.cpu[0]!,
    ),
  ]
}

/** The bytes of a bundle on their way through Docket. */
export const download: Row = {
  name: 'download',
  title: 'Downloads',
  method:
    'One client downloads a file from nginx, through Docket and through a second nginx tuned as a proxy for large files, in turns, and discards it. "SHA-256 computed" is the first download of a version: Docket computes the checksum of what it sends, which nginx does not, and knows it from then on. Memory is PSS.',
  run: async (world) => {
    if (world.nginx === null) return [line('downloads', '–', 'nginx is not installed', null)]
    const sizeBytes = (world.quick ? 256 : 1024) * mib
    const setup = await setUp(world, sizeBytes)
    try {
      return [...(await memory(world, setup)), ...(await speed(world, setup, sizeBytes))]
    } finally {
      await setup.stop()
    }
  },
}
