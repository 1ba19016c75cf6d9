import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { ObjectStorage } from '@docket/artifact-store/object-storage'
import { packTar, unpackTar, type TarSource } from 'modern-tar/fs'
import { z } from 'zod'
import type { Log } from '#log.ts'

const dayMs = 86_400_000
const limits = { bytes: 256 * 1024 ** 2, fetchMs: 20_000, closeMs: 2_000, ageMs: 30 * dayMs }
/** Pages are stored again once more than one in this many had to be rendered. */
const worthStoring = 20

const UsedEntries = z.object({ keys: z.array(z.string().regex(/^[0-9a-f]{40}$/)), rendered: z.number() })

const toEntryPath = (key: string) => `${key.slice(0, 2)}/${key}`

/** One archive for each site and exporter. Never fails an export: a damaged entry counts as missing. */
export const createSharedPages = (deps: {
  shared: { storage: ObjectStorage; prefix: string } | null
  folder: string
  workFolder: string
  exporter: string
  now: () => Date
  log: Log
}) => {
  const { shared, folder, workFolder, exporter, now, log } = deps
  const known = new Map<string, string>()
  const storing = new Set<Promise<void>>()
  const beginning = `${shared?.prefix ?? ''}page-cache/`
  const toKey = (domain: string) =>
    `${beginning}${exporter.slice(0, 40)}/${createHash('sha256').update(domain).digest('hex').slice(0, 40)}`

  const findArchive = async (storage: ObjectStorage, key: string) => {
    for await (const found of storage.list(key))
      if (found.key === key) return { ...found, version: `${found.sizeBytes} ${found.modifiedAt.toISOString()}` }
    return null
  }
  const fetchPages = async (storage: ObjectStorage, domain: string, signal: AbortSignal) => {
    const key = toKey(domain)
    const found = await findArchive(storage, key)
    if (found === null || found.sizeBytes > limits.bytes || found.version === known.get(domain)) return
    const content = await storage.read(key)
    if (content === null) return
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const isNew = ({ name, type }: { name: string; type?: string | undefined }) =>
      type === 'file' && /^([0-9a-f]{2})\/\1[0-9a-f]{38}$/.test(name) && !existsSync(join(folder, name))
    const unpack = unpackTar(folder, { filter: isNew, fmode: 0o600, dmode: 0o700 })
    await pipeline(content, createGunzip(), limitBytes(limits.bytes * 2), unpack, { signal })
    known.set(domain, found.version)
  }
  const storePages = async (
    storage: ObjectStorage,
    domain: string,
    { keys, rendered }: z.infer<typeof UsedEntries>,
  ) => {
    if (keys.length === 0 || (known.has(domain) && rendered * worthStoring <= keys.length)) return
    const [sources, bytes] = await listEntries(folder, keys)
    if (bytes > limits.bytes) return
    const file = join(workFolder, `${randomUUID()}.pages`)
    try {
      await pipeline(packTar(sources), createGzip({ level: 1 }), createWriteStream(file, { mode: 0o600 }))
      await storage.put(toKey(domain), file)
      const stored = await findArchive(storage, toKey(domain))
      if (stored !== null) known.set(domain, stored.version)
    } finally {
      await rm(file, { force: true })
    }
  }

  return {
    /** Gets the pages of a site that another process rendered, if this one lacks them. Never rejects. */
    fetch: async (domain: string): Promise<void> => {
      if (shared === null) return
      const signal = AbortSignal.timeout(limits.fetchMs)
      const late = sleep(limits.fetchMs, undefined, { ref: false })
      await Promise.race([fetchPages(shared.storage, domain, signal), late]).catch((error: unknown) => {
        log.debug({ domain, err: error }, 'rendered pages could not be fetched, so they are rendered again')
      })
    },
    /** Stores the pages that a whole export of a site used, in the background. `usedFile` may go afterwards. Never rejects. */
    store: async (domain: string, usedFile: string): Promise<void> => {
      if (shared === null) return
      const used = UsedEntries.safeParse(
        await readFile(usedFile, 'utf8')
          .then(JSON.parse)
          .catch(() => null),
      )
      if (!used.success) return
      const done = storePages(shared.storage, domain, used.data).catch((error: unknown) => {
        log.debug({ domain, err: error }, 'rendered pages could not be stored for other processes')
      })
      storing.add(done)
      void done.finally(() => storing.delete(done))
    },
    removeOld: async (): Promise<void> => {
      if (shared === null) return
      for await (const { key, modifiedAt } of shared.storage.list(beginning))
        if (now().getTime() - modifiedAt.getTime() > limits.ageMs) await shared.storage.remove(key)
    },
    close: async () => {
      await Promise.race([Promise.all(storing), sleep(limits.closeMs, undefined, { ref: false })])
    },
  }
}

export type SharedPages = ReturnType<typeof createSharedPages>

const listEntries = async (folder: string, keys: readonly string[]): Promise<[TarSource[], number]> => {
  const sources: TarSource[] = []
  let bytes = 0
  for (const key of new Set(keys)) {
    const source = join(folder, toEntryPath(key))
    const found = await stat(source).catch(() => null)
    if (found === null) continue
    bytes += found.size
    sources.push({ type: 'file', source, target: toEntryPath(key), mode: 0o600 })
  }
  return [sources, bytes]
}

const limitBytes = (max: number) => {
  let bytes = 0
  return new Transform({
    transform: (chunk: Buffer, _, done) => {
      bytes += chunk.length
      if (bytes > max) done(new Error('The archive of rendered pages is larger than it may be.'))
      else done(null, chunk)
    },
  })
}
