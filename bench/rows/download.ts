import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { localhostCertificate } from '#packages/code-hosts/src/testing/certificate.ts'
import { change, load, readFiles, withCpu } from '#bench/harness/clients.ts'
import { makeFile, mib, peakMb, readWhole } from '#bench/harness/large-files.ts'
import { startNginx } from '#bench/harness/nginx.ts'
import type { BenchProcess } from '#bench/harness/processes.ts'
import { digits, line, type Line, type Row } from '#bench/harness/row.ts'
import { inTurns, median } from '#bench/harness/statistics.ts'
import { memoryMb } from '#bench/harness/usage.ts'
import type { World } from '#bench/harness/world.ts'

const readers = 64
const slowBytesPerSecond = 4_000_000

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
    ARTIFACTS: 'off',
  })
  return {
    docket,
    proxies: { plain: proxy, tls: proxyTls },
    downloads: { plain: await imported(docket, 'plain'), tls: await imported(docket, 'tls') },
    stop: async () => {
      for (const server of [docket, proxy, proxyTls, plain, secure]) await server.stop()
    },
  }
}
type Setup = Awaited<ReturnType<typeof setUp>>

const speed = async (world: World, { docket, proxies, downloads }: Setup, sizeBytes: number): Promise<Line[]> => {
  const lines: Line[] = []
  const size = sizeBytes >= 1024 * mib ? '1 GiB' : `${sizeBytes / mib} MiB`
  for (const kind of ['plain', 'tls'] as const) {
    const measured = await inTurns(world.quick ? 3 : 7, {
      nginx: () => readWhole(proxies[kind].pid, `${proxies[kind].address}/bundle.tar.gz`, sizeBytes),
      docket: () => readWhole(docket.pid, downloads[kind], sizeBytes),
    })
    const readMedian = (name: 'nginx' | 'docket', what: 'mbPerSecond' | 'cpu') =>
      median(measured[name].map((one) => one[what]))
    const compare = (what: 'mbPerSecond' | 'cpu', title: string, bar: { atMost?: number }) => {
      const [docketValue, nginx] = [readMedian('docket', what), readMedian('nginx', what)]
      const name = `${size} from ${kind === 'tls' ? 'https' : 'http'} storage: ${title}`
      return line(name, digits(docketValue), `nginx proxy_pass ${digits(nginx)}`, docketValue / nginx, bar)
    }
    lines.push(compare('mbPerSecond', 'MB/s', {}), compare('cpu', 'CPU seconds', { atMost: 4 }))
  }
  return lines
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
    line('memory while one download runs, beyond idle: MB', digits(one), `idle ${digits(idle)}`, one - idle),
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
    ),
    line(
      `${readers} readers at 4 MB/s, ${seconds} s: CPU seconds`,
      digits(cpu[0]!),
      `nginx proxy_pass ${digits(reference.cpu[0]!)}`,
      cpu[0]! / reference.cpu[0]!,
    ),
  ]
}

/** The bytes of a bundle on their way through Docket, which stores none of them. */
export const download: Row = {
  name: 'download',
  title: 'Downloads that pass through',
  method:
    'Docket stores nothing here. One client downloads a file from nginx, through Docket and through a second nginx tuned as a proxy for large files, in turns, and discards it. Docket knows the SHA-256 of the bundle from an earlier download. Memory is PSS.',
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
