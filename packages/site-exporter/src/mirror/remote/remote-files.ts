import type { LookupFunction } from 'node:net'
import { oncePerKey } from '@docket/once'
import { isAnswer, type NoAnswer, type Answer, createSiteClient, type SiteClient } from '#mirror/http/site-client.ts'
import { mirrorLimits, type MirrorLimits } from '#mirror/mirror-limits.ts'
import type { ReadRemoteFile, RemoteFile } from '#site/remote-file.ts'

export const remoteLimits = {
  files: 5_000,
  totalBytes: 1024 * 1024 * 1024,
  totalMs: 15 * 60_000,
  /** Maximum consecutive redirects between hosts. */
  hops: 5,
  /** Failed connections to a host after which it counts as unavailable. */
  goneAfter: 3,
}

/** Shorter than for mirrors: a page must not wait so long that its export counts as stuck. */
const patience: Partial<MirrorLimits> = { answerMs: 15_000, retries: 1, maxWaitMs: 2_000 }

type Order = {
  /** Host names; a leading `*.` matches every subdomain. A port is given only if it is not the default of the scheme. */
  hosts: readonly string[]
  privateNetworks: readonly string[]
  lookup?: LookupFunction
  limits?: Partial<typeof remoteLimits>
  mirror?: Partial<MirrorLimits>
  onRequest?: () => void
  now?: () => number
}

/** Reads files of allowed hosts, with the guards of mirrors: no private networks, no cookies, bounded size, time and redirects. */
export const openRemoteFiles = (order: Order): { read: ReadRemoteFile; close: () => Promise<void> } => {
  const { hosts, privateNetworks, lookup, onRequest, now = Date.now } = order
  const limits = { ...remoteLimits, ...order.limits }
  const stopping = new AbortController()
  const clients = new Map<string, SiteClient>()
  const reads = oncePerKey<RemoteFile>({ keep: true })
  const failures = new Map<string, number>()
  const until = now() + limits.totalMs
  let bytes = 0

  const findClient = (origin: string) => {
    const known = clients.get(origin)
    if (known) return known
    const all = { ...mirrorLimits, ...patience, ...order.mirror }
    const client = createSiteClient({ origin, privateNetworks, lookup, limits: all, signal: stopping.signal })
    clients.set(origin, client)
    return client
  }

  const request = async (url: URL, maxBytes: number): Promise<Answer | NoAnswer> => {
    if ((failures.get(url.origin) ?? 0) >= limits.goneAfter) return { problem: 'its host did not answer before' }
    if (bytes >= limits.totalBytes) return { problem: 'the files of other hosts are too large together' }
    if (now() > until) return { problem: 'the files of other hosts took too long together' }
    onRequest?.()
    const answer = await findClient(url.origin).get(url.href, maxBytes)
    if (isAnswer(answer)) bytes += answer.body.length
    else if (answer.gone === true) failures.set(url.origin, (failures.get(url.origin) ?? 0) + 1)
    return answer
  }

  const readFile = async (address: string, maxBytes: number): Promise<RemoteFile> => {
    let url = new URL(address)
    for (let hop = 0; hop <= limits.hops; hop++) {
      const answer = await request(url, maxBytes)
      if (isAnswer(answer)) {
        return answer.status === 200
          ? { content: answer.body, type: answer.type }
          : { problem: `it answers ${answer.status}` }
      }
      if (answer.elsewhere === undefined) return { problem: answer.problem }
      url = new URL(answer.elsewhere)
      if (!isAllowed(url, hosts)) return { problem: `it redirects to ${url.host}, which is not allowed` }
    }
    return { problem: 'it redirects too often' }
  }

  return {
    read: (address, maxBytes) => {
      if (!URL.canParse(address)) return Promise.resolve(null)
      const url = new URL(address)
      url.hash = ''
      if (!isAllowed(url, hosts)) return Promise.resolve(null)
      if (reads.work.size >= limits.files && !reads.work.has(url.href))
        return Promise.resolve({ problem: `an export takes at most ${limits.files} files of other hosts` })
      return reads.run(url.href, () => readFile(url.href, maxBytes))
    },
    close: async () => {
      stopping.abort()
      await Promise.all([...clients.values()].map((client) => client.close()))
    },
  }
}

const isAllowed = ({ protocol, hostname, host, username, password }: URL, hosts: readonly string[]) =>
  /^https?:$/.test(protocol) &&
  username === '' &&
  password === '' &&
  hosts.some((allowed) => {
    const name = allowed.toLowerCase()
    // A host name without a port means the default port of the scheme.
    const own = /:\d+$/.test(name) || host === hostname ? host : ''
    return name.startsWith('*.') ? own.endsWith(name.slice(1)) : own === name
  })
