import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, launchHere } from '#bench/harness/processes.ts'
import { onEnd } from '#bench/harness/cleanup.ts'
import type { launch } from '#apps/bff/src/testing/launch.ts'
import { temporaryFolder } from '#proofs/harness/docket.ts'
import { relay } from './relay.ts'

/** Where the network has its proxy: an address for documentation (RFC 5737). */
const [proxyAddress, proxyPort] = ['192.0.2.1', 3128]
const systemCertificates = '/etc/ssl/certs/ca-certificates.crt'

/** Why this machine can't make a network of its own. Null when it can. */
export const findObstacle = (): string | null => {
  if (process.getuid?.() !== 0) return 'it needs root on Linux'
  try {
    execFileSync('unshare', ['--net', '--mount', 'ip', 'link', 'set', 'lo', 'up'], { stdio: 'pipe' })
    return null
  } catch (error) {
    return `this machine makes no network of its own: ${error instanceof Error ? error.message : String(error)}`
  }
}

/**
 * A network without any route and resolver, in which one address leads to a proxy on `proxyTo`, a port of this machine. Its system also
 * trusts `certificate`. Connections to the free `port` of this machine lead to the same one in the network.
 */
export const openNetwork = async (proxyTo: number, certificate: string) => {
  const folder = temporaryFolder()
  const [proxy, docket] = [join(folder, 'proxy.sock'), join(folder, 'docket.sock')]
  const trusted = join(folder, 'trusted.pem')
  writeFileSync(trusted, `${readFileSync(systemCertificates, 'utf8')}\n${certificate}`)
  const port = await freePort()
  const outside = [await relay({ path: proxy }, proxyTo), await relay({ host: '127.0.0.1', port }, docket)]
  onEnd(() => outside.forEach((server) => void server.close()))
  const script = `ip link set lo up; ip address add ${proxyAddress}/32 dev lo; mount --bind '${trusted}' ${systemCertificates}; exec "$@"`
  const program = [process.execPath, join(import.meta.dirname, 'relay.ts')]
  const ends = [proxyAddress, String(proxyPort), proxy, docket, String(port)]
  const inside = launchHere('unshare', ['--net', '--mount', 'sh', '-ec', script, 'sh', ...program, ...ends])
  await inside.wrote(/connected/)
  const entered = [`--net=/proc/${inside.pid}/ns/net`, `--mount=/proc/${inside.pid}/ns/mnt`]
  const read = (file: string) => readFileSync(`/proc/${inside.pid}/net/${file}`, 'utf8')
  const readCounter = (protocol: string, name: string): number => {
    const lines = read('snmp').split('\n')
    const [names = [], values = []] = lines.map((line) => line.split(' ')).filter(([first]) => first === `${protocol}:`)
    return Number(values[names.indexOf(name)])
  }
  return {
    port,
    proxyUrl: `http://${proxyAddress}:${proxyPort}`,
    /** As `launchHere`, in this network. */
    launchInside: (...[command, args, options]: Parameters<typeof launch>) =>
      launchHere('nsenter', [...entered, `--wdns=${options?.cwd ?? '/'}`, command, ...args], options),
    /** What was tried past the proxy: connections and datagrams without a route, and questions to a resolver of this machine. */
    countOthers: () =>
      readCounter('Ip', 'OutNoRoutes') +
      Number(/^Ip6OutNoRoutes\s+(\d+)/m.exec(read('snmp6'))?.[1]) +
      readCounter('Udp', 'OutDatagrams'),
  }
}
