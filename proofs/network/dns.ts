import { createSocket } from 'node:dgram'
import { Resolver, type lookup as systemLookup, type LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { onEnd } from '#bench/harness/cleanup.ts'

/** Answers of a name in turn; the last one repeats. All questions of one address family get the same answer. */
export type Zone = Record<string, readonly (readonly string[])[]>

const nameIn = (question: Buffer): { name: string; end: number } => {
  const labels: string[] = []
  let at = 12
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

const toBytes = (address: string): Buffer => {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail = ''] = address.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  const [front, back] = [groups(head), groups(tail)]
  const all = [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back]
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]))
}

const record = (type: number, data: Buffer): Buffer => {
  // A pointer to the name of the question, class IN, no time to live.
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length])
  return Buffer.concat([head, data])
}

/**
 * A DNS server on loopback, and a `lookup` that asks it over UDP and nobody else. Hexadecimal IPv6 addresses only; a
 * name that is in no zone does not exist.
 */
export const localDns = async (zone: Zone): Promise<{ lookup: typeof systemLookup; queries: string[] }> => {
  const queries: string[] = []
  const times = new Map<string, number>()
  const server = createSocket('udp4')
  server.on('message', (question, from) => {
    const { name, end } = nameIn(question)
    const type = question.readUInt16BE(end)
    const answers = zone[name.replace(/\.$/, '')]
    const turn = times.get(`${name} ${type}`) ?? 0
    times.set(`${name} ${type}`, turn + 1)
    queries.push(name)
    const now = answers?.[Math.min(turn, answers.length - 1)] ?? []
    const records = now
      .filter((address) => isIPv6(address) === (type === 28))
      .map((address) => record(type, toBytes(address)))
    const header = Buffer.from([
      question[0]!,
      question[1]!,
      0x81,
      answers === undefined ? 0x83 : 0x80,
      0,
      1,
      0,
      records.length,
      0,
      0,
      0,
      0,
    ])
    server.send(Buffer.concat([header, question.subarray(12, end + 4), ...records]), from.port, from.address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  onEnd(() => void server.close())
  const resolver = new Resolver({ timeout: 2_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${server.address().port}`])
  const ask = (family: 4 | 6, name: string) =>
    new Promise<LookupAddress[]>((resolve) => {
      const done = (_: unknown, found: string[] | undefined) =>
        resolve((found ?? []).map((address) => ({ address, family })))
      if (family === 4) resolver.resolve4(name, done)
      else resolver.resolve6(name, done)
    })
  const lookup = async (name: string, _: object, done: (error: Error | null, found: LookupAddress[]) => void) => {
    const found = [...(await ask(4, name)), ...(await ask(6, name))]
    done(found.length > 0 ? null : Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), found)
  }
  return { lookup: lookup as unknown as typeof systemLookup, queries }
}
