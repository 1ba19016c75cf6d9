import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { AdminApi } from '#service/admin-api/admin-api.ts'
import type { BundleRecord, BundleUse } from '#records/static-exports/static-exports.artifacts.ts'
import type { Actor } from '#ground/identity/identity.ts'
import { AppError, AdminApiError } from '#ground/errors/app-error.ts'
import { buildAttachmentHeaders, type Download, type DownloadRequest } from './send-download.ts'
import { headBytes, isCut, maxTailBytes } from '@docket/site-bundle/archive/judge-bytes'
import { acceptFormat, type BundleFormat, judgeBundle, readHead, unknownFormat } from './bundle-format.ts'
import type { BundleFetch, StorageAnswer } from '#bundles/download/storage/bundle-fetch.ts'
import { createBundleLinks, createBundleSource, discardBody } from '#bundles/download/storage/bundle-links.ts'
import {
  buildEntityTag,
  readIdentity,
  readPart,
  parseRange,
  readTotal,
  type Identity,
  isSameBundle,
  type Part,
} from './bundle-ranges.ts'

/** Maximum number of consecutive failures without a byte between them. */
const maxFailures = 4

const incomplete = 'The archive ends too early. It is incomplete. Export the site again.'

const downloadLostError = () => new AppError('upstream_unavailable', 'The download broke off. Start it again.')

const bundleChangedError = () =>
  new AppError('upstream_unexpected', 'The bundle changed during the download. Start it again.')

/**
 * Yields the bytes of `part` once and in order. After a broken connection or an expired link, `reopen` requests the rest; bytes of two
 * different bundles never mix. Throws when it cannot finish, or when more bytes arrive than announced.
 */
export async function* bundleBytes(options: {
  first: StorageAnswer
  part: Part
  identity: Identity
  /** Requests bytes `from` to `end`, exclusive, of the bundle with this `identity`. */
  reopen: (from: number, end: number) => Promise<StorageAnswer>
  signal: AbortSignal
  pauseMs?: number
}): AsyncGenerator<Uint8Array, void, undefined> {
  const { part, identity, reopen, signal, pauseMs = 250 } = options
  const { end } = part
  let position = part.from
  let answer: StorageAnswer | null = options.first
  let failures = 0
  for (;;) {
    try {
      answer ??= await rest(reopen, { ...part, from: position }, identity)
      for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
        position += chunk.length
        if (end !== null && position > end) throw bundleChangedError()
        failures = 0
        yield chunk
      }
      if (end === null || position === end) return
    } catch (error) {
      if (signal.aborted || isFinalFailure(error)) throw error
    }
    if (end === null || signal.aborted) throw downloadLostError()
    // All bytes arrived before the connection broke, so nothing is missing.
    if (position === end) return
    failures += 1
    if (failures > maxFailures) throw downloadLostError()
    answer = null
    await delay(pauseMs * 2 ** (failures - 1), undefined, { signal })
  }
}

const isFinalFailure = (error: unknown): boolean => {
  if (!(error instanceof AppError) && !(error instanceof AdminApiError)) return false
  return !['upstream_unavailable', 'upstream_timeout', 'upstream_rate_limited'].includes(error.code)
}

const rest = async (
  reopen: (from: number, end: number) => Promise<StorageAnswer>,
  part: Part,
  identity: Identity,
): Promise<StorageAnswer> => {
  if (part.end === null) throw downloadLostError()
  const answer = await reopen(part.from, part.end)
  try {
    if (answer.status !== 206) throw bundleChangedError()
    const { from, end, total } = readPart(answer)
    if (from !== part.from || end !== part.end || !isSameBundle(identity, readIdentity(answer, total)))
      throw bundleChangedError()
    return answer
  } catch (error) {
    discardBody(answer)
    throw error
  }
}

type RemoteRecord = BundleRecord & { jobId: string }

/** Access to exports. `findBundle` rejects with `not_found`, and with `conflict` unless the export is completed. */
export type BundleRecords = {
  findBundle: (exportId: string) => Promise<BundleRecord>
  /** Records the use of a bundle, and its size and hash if they were unknown. */
  recordBundle: (exportId: string, learnt: { sizeBytes?: number; sha256?: string }, use: BundleUse) => Promise<void>
  /** Audits the start of a download. Without this row nothing is sent. */
  recordDownload: (exportId: string, download: { by: Actor; how: string }) => Promise<void>
}

/** Reads a bundle once. `sizeBytes` is null when neither service nor storage sends it. */
export type UseBundle<Result> = (bundle: {
  bytes: AsyncIterable<Uint8Array>
  sizeBytes: number | null
}) => Promise<Result>

export const recordNothing = async (): Promise<void> => {}

const wrongPartError = () =>
  new AppError('upstream_unexpected', 'The bundle storage returned a part that Docket didn’t request.')

/** With `redirect`, `prepare` does not request format and size from the storage, which Docket may be unable to reach. */
export const createBundleService = (deps: {
  records: BundleRecords
  adminApi: Pick<AdminApi, 'generateBundle'>
  fetch: BundleFetch
  delivery: 'stream' | 'redirect'
  now: () => number
  pausesMs?: readonly number[] | undefined
}) => {
  const { records, adminApi, fetch, delivery, now, pausesMs } = deps
  const links = createBundleLinks({ generate: (jobId) => adminApi.generateBundle(jobId), now, pausesMs })
  const source = createBundleSource(links, fetch)
  // ETags of bundles that this process sent whole. Their SHA-256 is recorded, and computing it costs half as much as sending them.
  const hashedTags = new LRUCache<string, string>({ max: 1_000 })
  // Formats of bundles that this process has inspected, so that later downloads of their parts need no inspection.
  const formats = new LRUCache<string, { tag: string | null; format: BundleFormat }>({ max: 1_000 })

  const find = async (exportId: string): Promise<RemoteRecord> => {
    const { jobId, ...record } = await records.findBundle(exportId)
    if (jobId === null)
      throw new AppError(
        'not_found',
        'Docket hasn’t saved this bundle, and no service has it. Unless it is being saved, upload it again.',
      )
    return { ...record, jobId }
  }

  /** Opens the requested part, or the whole bundle when the client has the beginning of a different bundle. */
  const open = async (
    record: RemoteRecord,
    ask: { range: string | undefined; ifRange: string | undefined },
    signal: AbortSignal,
  ) => {
    const answer = await source(record, ask.range === undefined ? {} : { range: ask.range }, signal)
    if (answer.status === 412 || (answer.status !== 200 && ask.range === undefined)) {
      discardBody(answer)
      throw wrongPartError()
    }
    const part = answer.status === 416 ? { from: 0, end: 0, total: readTotal(answer) } : readPart(answer)
    const identity = readIdentity(answer, part.total)
    const tag = buildEntityTag(identity, record.exportId)
    if (ask.range !== undefined && ask.ifRange !== undefined && ask.ifRange !== tag) {
      discardBody(answer)
      return open(record, { range: undefined, ifRange: undefined }, signal)
    }
    return { answer, identity, tag, part }
  }

  type Opened = Awaited<ReturnType<typeof open>>

  const readBytes = (record: RemoteRecord, { answer, part, identity }: Opened, signal: AbortSignal) => {
    const condition = identity.etag === null ? {} : { 'if-match': identity.etag }
    const reopen = (at: number, until: number) =>
      source(record, { range: `bytes=${at}-${until - 1}`, ...condition }, signal)
    return bundleBytes({ first: answer, part, identity, reopen, signal })
  }

  const judge = ({ exportId }: BundleRecord, { answer, tag }: Opened, head: Buffer) => {
    const format = judgeBundle(head, answer.header('content-encoding'))
    formats.set(exportId, { tag, format })
    return format
  }

  /** Reads the first bytes alone, for their format and the size of the whole. */
  const look = async (record: RemoteRecord, signal: AbortSignal) => {
    const opened = await open(record, { range: `bytes=0-${headBytes - 1}`, ifRange: undefined }, signal)
    const { answer, part } = opened
    const bytes = readBytes(record, opened, signal)
    try {
      if (part.from !== 0) throw wrongPartError()
      // A range from 0 is unsatisfiable for an empty file only.
      const { head } = answer.status === 416 ? { head: Buffer.alloc(0) } : await readHead(bytes)
      return { format: judge(record, opened, head), sizeBytes: part.total }
    } finally {
      discardBody(answer)
      await bytes.return()
    }
  }

  /** Reads the last bytes alone. True for an archive that was cut off, as far as they show it. */
  const looksCut = async (record: RemoteRecord, ending: string, sizeBytes: number | null, signal: AbortSignal) => {
    if (ending === '' || sizeBytes === null) return false
    const from = Math.max(0, sizeBytes - maxTailBytes)
    const opened = await open(record, { range: `bytes=${from}-${sizeBytes - 1}`, ifRange: undefined }, signal)
    try {
      // A storage without ranges sends everything.
      return opened.part.from === from && isCut(ending, await buffer(readBytes(record, opened, signal)), sizeBytes)
    } finally {
      discardBody(opened.answer)
    }
  }

  /** Format of the version with this tag, from an earlier inspection by this process or a new one. */
  const findFormat = async (record: RemoteRecord, tag: string | null, signal: AbortSignal) => {
    const known = formats.get(record.exportId)
    return known !== undefined && known.tag !== null && known.tag === tag
      ? known.format
      : (await look(record, signal)).format
  }

  const buildHeaders = ({ exportId, name }: BundleRecord, known?: BundleFormat) => {
    const { ending, mediaType } = known ?? formats.get(exportId)?.format ?? unknownFormat
    return buildAttachmentHeaders(name + ending, mediaType)
  }
  const respond = (status: Download['status'], headers: Record<string, string>): Download => ({
    status,
    headers,
    bytes: null,
    delivered: recordNothing,
  })

  /** Headers without any request to the service or the storage. */
  const peek = (record: BundleRecord) =>
    respond(200, {
      ...buildHeaders(record),
      ...(record.sizeBytes === null ? {} : { 'Content-Length': String(record.sizeBytes) }),
    })

  const redirect = async (record: RemoteRecord, by: Actor) => {
    const { exportId } = record
    const link = fetch.checkLink((await links.current(record)).bundleUrl)
    await records.recordDownload(exportId, { by, how: 'by a link of the storage' })
    await records.recordBundle(exportId, {}, { kind: 'downloaded', by })
    return respond(303, { Location: link, 'Cache-Control': 'no-store' })
  }

  const send = async (
    record: RemoteRecord,
    { range, ifRange }: DownloadRequest,
    { by, signal, anyway = false }: { by: Actor; signal: AbortSignal; anyway?: boolean | undefined },
  ): Promise<Download> => {
    const { exportId } = record
    const opened = await open(record, { range: parseRange(range), ifRange }, signal)
    const { answer, tag, part } = opened
    const { from, end, total } = part
    if (answer.status === 416) {
      discardBody(answer)
      if (total === 0) acceptFormat(judge(record, opened, Buffer.alloc(0)), anyway)
      return respond(416, {
        ...buildHeaders(record),
        'Content-Range': `bytes */${total ?? '*'}`,
        'Content-Length': '0',
      })
    }
    const whole = answer.status === 200
    const rest = readBytes(record, opened, signal)
    const begin = async () => {
      const { head, read } = whole ? await readHead(rest) : { head: null, read: [] }
      const format = head === null ? await findFormat(record, tag, signal) : judge(record, opened, head)
      acceptFormat(format, anyway)
      await records.recordDownload(exportId, { by, how: whole ? 'whole' : `bytes ${from} to ${end! - 1}` })
      return { read, format }
    }
    const { read, format } = await begin().catch(async (error: unknown) => {
      discardBody(answer)
      await rest.return()
      throw error
    })
    const headers = buildHeaders(record, format)
    if (tag !== null) headers['ETag'] = tag
    if (end !== null) headers['Content-Length'] = String(end - from)
    if (!whole) headers['Content-Range'] = `bytes ${from}-${end! - 1}/${total ?? '*'}`
    const hash = whole && (tag === null || hashedTags.get(exportId) !== tag) ? createHash('sha256') : null
    let sizeBytes = 0
    const note = (chunk: Uint8Array) => {
      hash?.update(chunk)
      sizeBytes += chunk.length
      return chunk
    }
    const bytes = async function* () {
      try {
        for (const chunk of read) yield note(chunk)
        for await (const chunk of rest) yield note(chunk)
      } finally {
        await rest.return()
      }
    }
    const delivered = async () => {
      const learnt = hash === null ? {} : { sizeBytes, sha256: hash.digest('hex') }
      // Among the parts of one download, only one has the last byte.
      if (whole || end === total) await records.recordBundle(exportId, learnt, { kind: 'downloaded', by })
      if (hash !== null && tag !== null) hashedTags.set(exportId, tag)
    }
    return { status: whole ? 200 : 206, headers, bytes: bytes(), delivered }
  }

  return {
    link: async (exportId: string, by: Actor) => {
      const { bundleUrl, sizeBytes, expiresAtMs } = await links.fresh(await find(exportId))
      fetch.checkLink(bundleUrl)
      await records.recordBundle(exportId, {}, { kind: 'link_copied', by })
      return { bundleUrl, sizeBytes, expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString() }
    },
    /** Checks that a link leads to a bundle, and finds its format and size. */
    prepare: async (exportId: string, { by, anyway }: { by: Actor; anyway: boolean }) => {
      const record = await find(exportId)
      const grant = await links.current(record)
      fetch.checkLink(grant.bundleUrl)
      const signal = AbortSignal.timeout(30_000)
      const found =
        delivery === 'stream' ? await look(record, signal) : { format: unknownFormat, sizeBytes: grant.sizeBytes }
      const { ending, problem } = acceptFormat(found.format, anyway)
      const sizeBytes = found.sizeBytes ?? record.sizeBytes
      const learnt = sizeBytes !== null && sizeBytes !== record.sizeBytes ? { sizeBytes } : {}
      await records.recordBundle(exportId, learnt, { kind: 'bundle_prepared', by })
      const isIncomplete = anyway && problem === null && (await looksCut(record, ending, found.sizeBytes, signal))
      return { sizeBytes, fileName: record.name + ending, problem: isIncomplete ? incomplete : problem }
    },
    /** The bundle as the storage sends it, or a redirect there. A HEAD request is rarely followed by a download, so it requests no link. */
    download: async (
      exportId: string,
      request: DownloadRequest,
      { by, signal, anyway }: { by: Actor; signal: AbortSignal; anyway?: boolean | undefined },
    ): Promise<Download> => {
      const record = await find(exportId)
      if (request.isHead) return peek(record)
      return delivery === 'redirect' ? redirect(record, by) : send(record, request, { by, signal, anyway })
    },
    /**
     * Reads a whole bundle once, for Docket's own copy, despite broken connections and expired links. Usually needs one call of the
     * service. `sizeBytes` is null when neither service nor storage sends it. The transfer ends with `use`, which gets its failures.
     */
    readWhole: async <Result>(exportId: string, signal: AbortSignal, use: UseBundle<Result>): Promise<Result> => {
      const record = await find(exportId)
      const opened = await open(record, { range: undefined, ifRange: undefined }, signal)
      const bytes = readBytes(record, opened, signal)
      try {
        return await use({ bytes, sizeBytes: opened.part.total })
      } finally {
        discardBody(opened.answer)
        await bytes.return()
      }
    },
    close: () => fetch.close(),
  }
}

/** Bundles of completed exports. Links never leave this closure, except through `link` and `redirect`. `by` is recorded in the history. */
export type BundleService = ReturnType<typeof createBundleService>
