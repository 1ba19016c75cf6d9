import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'
import type { DocketClient } from '#apps/bff/src/testing/docket-client.ts'

/** A bundle of a page and a large file that cannot be compressed. */
export const makeBundle = async (): Promise<Buffer> => {
  const file = (name: string, body: string | Buffer) => ({ header: { name, size: body.length }, body })
  return gzipSync(await packTar([file('index.html', '<h1>Home</h1>'), file('data.bin', randomBytes(400_000))]))
}

const storeWithinMs = 120_000

/** Starts an export and waits until Docket has stored its bundle. Returns its address for downloads. */
export const storeExport = async (client: DocketClient): Promise<string> => {
  const started = await client.post('/api/static-exports', { requestId: randomUUID(), domain: 'docs.example.com' })
  const { export: record } = (await started.json()) as { export: { exportId: string } }
  const address = `/api/static-exports/${record.exportId}`
  const deadline = performance.now() + storeWithinMs
  while (performance.now() < deadline) {
    const { artifact } = (await (await client.get(address)).json()) as { artifact?: { state: string } | null }
    if (artifact?.state === 'stored') return `${address}/download`
    await delay(200)
  }
  throw new Error('The bundle was not stored.')
}

const lists = ['/api/static-exports', '/api/agent-jobs', '/api/status', '/api/about']

/** Reads lists as an open page does, again and again with the tag of the last response. Returns what went wrong. */
export const pollLists = async (client: DocketClient, count: number): Promise<string[]> => {
  const tags = new Map<string, string>()
  const problems: string[] = []
  for (let n = 0; n < count; n += 1) {
    const path = lists[n % lists.length]!
    const tag = tags.get(path)
    const response = await client.get(path, tag === undefined ? {} : { 'if-none-match': tag })
    const body = await response.text()
    if (response.status !== 200 && response.status !== 304) problems.push(`${path}: ${response.status} ${body.trim()}`)
    const next = response.headers.get('etag')
    if (next !== null) tags.set(path, next)
  }
  return problems
}

/** Downloads the first part of a bundle from one replica and the rest from the next. Returns what went wrong, or null. */
export const downloadInParts = async (client: DocketClient, path: string, bundle: Buffer): Promise<string | null> => {
  const middle = 100_000
  const first = await client.get(path, { range: `bytes=0-${middle - 1}` })
  const begin = Buffer.from(await first.arrayBuffer())
  const rest = await client.get(path, { range: `bytes=${middle}-`, 'if-range': first.headers.get('etag') ?? '' })
  const end = Buffer.from(await rest.arrayBuffer())
  if (first.status !== 206 || rest.status !== 206) return `${path}: ${first.status}, then ${rest.status}`
  const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  return hash(Buffer.concat([begin, end])) === hash(bundle) ? null : `${path}: other bytes`
}
