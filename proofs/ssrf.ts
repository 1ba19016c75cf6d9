import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { listenHere } from '#bench/harness/processes.ts'
import { localhostCertificate } from '#packages/code-hosts/src/testing/certificate.ts'
import { watchConnections } from '#proofs/network/connections.ts'
import { localDns } from '#proofs/network/dns.ts'
import { waysInside, zone, type Way } from '#proofs/network/ways-inside.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { plant, type Fault } from '#proofs/harness/plant.ts'

const fault: Fault = {
  file: 'outbound/src/outbound.ts',
  instead: 'addresses.filter(({ address }) => allows(address))',
  write: 'addresses',
}

/** A storage that is listed and trusted, and answers every request with the redirect that its path names. */
const redirectingStorage = async (): Promise<{ port: number; heard: () => number }> => {
  let heard = 0
  setDefaultCACertificates([...getCACertificates('default'), localhostCertificate.cert])
  const server = createServer(localhostCertificate, (socket) => {
    socket
      .on('error', () => {})
      .once('data', (bytes: Buffer) => {
        heard += 1
        const [, status = '302', to = ''] = /^GET \/(\d+)\/(\S+) /.exec(bytes.toString('latin1')) ?? []
        socket.end(
          `HTTP/1.1 ${status} Moved\r\nlocation: ${decodeURIComponent(to)}\r\nrefresh: 0;url=${decodeURIComponent(to)}\r\ncontent-length: 0\r\n\r\n`,
        )
      })
  })
  return { port: await listenHere(server), heard: () => heard }
}

const targets = [
  'https://169.254.169.254/latest/meta-data',
  'http://127.0.0.1:9464/metrics',
  'https://private.test/x',
  '//loopback.test/x',
  'file:///etc/passwd',
]

const redirects = (port: number): Way[] =>
  [300, 301, 302, 303, 304, 305, 307, 308].flatMap((status) =>
    targets.map((target): Way => ({
      title: `redirect ${status} to ${target}`,
      link: `https://localhost:${port}/${status}/${encodeURIComponent(target)}`,
      hosts: [`localhost:${port}`],
      mayReach: [`127.0.0.1:${port}`],
    })),
  )

/** Tries every way inside with the real bundle fetcher; only the connections of the process matter. */
export const proof: Proof = {
  name: 'ssrf',
  bar: 'of at least 25 ways for a bundle link to reach what it must not, none gets through',
  fault,
  run: async ({ planted }) => {
    if (planted) plant([fault])
    const { createBundleFetch } = await import('#apps/bff/src/bundles/download/storage/bundle-fetch.ts')
    const storage = await redirectingStorage()
    const connections = await watchConnections(new Set([storage.port]))
    const { lookup, queries } = await localDns(zone)
    const ways = [...waysInside, ...redirects(storage.port)]
    const through: string[] = []
    for (const { title, link, hosts = [], adminOrigin = 'https://api.test', mayReach = [], times = 1 } of ways) {
      const timeouts = { connectMs: 5_000, headersMs: 5_000, bodyMs: 5_000 }
      const fetcher = createBundleFetch({ adminOrigin, hosts, lookup, timeouts })
      const before = connections.length
      for (let time = 0; time < times; time += 1) {
        const answer = await fetcher.get(link, {}, AbortSignal.timeout(10_000)).catch(() => null)
        answer?.body.destroy()
      }
      await fetcher.close()
      const reached = connections
        .slice(before)
        .filter(({ address, port }) => !mayReach.includes(address) && !mayReach.includes(`${address}:${port}`))
      if (reached.length > 0) through.push(`${title} (${reached[0]!.address})`)
    }
    const played = queries.length > 0 && storage.heard() >= redirects(0).length && connections.length > 0
    const first = through.length === 0 ? '' : `, such as ${through.slice(0, 3).join(', ')}`
    return {
      ok: through.length === 0 && played && ways.length >= 25,
      figure: `${through.length} of ${ways.length} ways got through${first} (${queries.length} DNS questions, ${connections.length} connections, ${storage.heard()} redirects)`,
    }
  },
}
