import { appendFile, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { toLine } from '@docket/sources/text'
import type { Log } from '#log.ts'

/** A part of a job's log. Offsets are UTF-8 bytes since the beginning, also of what was dropped. */
export type LogPart = {
  text: string
  nextOffset: number
  /** True when the beginning was dropped. */
  isCut: boolean
  /** True when nothing is left to read now. */
  isAtEnd: boolean
}

/** `pending` is not written yet; `last` is the last readable line. */
type Stream = {
  pending: string
  line: string
  last: string | null
  file: LogFile | null
  writing: Promise<void> | null
  hasFailed: boolean
}

type LogFile = { name: string; id: string; dropped: number }

const defaults = { keptBytes: 1024 * 1024, partBytes: 256 * 1024 }
/** The beginning is dropped once a log has that many times `keptBytes`. */
const slack = 2
const maxLastLine = 300

/**
 * Output of agent jobs: one file per job in `folder`, `<id>.<bytes dropped before it>.log`. Never rejects for a full disk: the output is
 * lost then, and the job goes on.
 */
export const jobLogs = (folder: string, log: Log, limits: Partial<typeof defaults> = {}) => {
  const { keptBytes, partBytes } = { ...defaults, ...limits }
  const streams = new Map<string, Stream>()

  const openStream = (id: string): Stream => {
    const known = streams.get(id)
    if (known) return known
    const stream: Stream = { pending: '', line: '', last: null, file: null, writing: null, hasFailed: false }
    streams.set(id, stream)
    return stream
  }
  const findFile = async (id: string) => {
    const names = (await readdir(folder).catch(() => [])).flatMap((name) => parseName(name) ?? [])
    // A crash may have left the longer file beside the one that replaced it.
    return names.filter((file) => file.id === id).toSorted((a, b) => b.dropped - a.dropped)[0] ?? null
  }
  const writePending = async (id: string, stream: Stream) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    stream.file ??= (await findFile(id)) ?? { name: `${id}.0.log`, id, dropped: 0 }
    while (stream.pending !== '') {
      const text = stream.pending
      stream.pending = ''
      await appendFile(join(folder, stream.file.name), text.toWellFormed(), { mode: 0o600 })
      stream.file = await dropBeginning(stream.file)
    }
  }
  const dropBeginning = async (file: LogFile): Promise<LogFile> => {
    const path = join(folder, file.name)
    const { size } = await stat(path)
    if (size <= keptBytes * slack) return file
    const bytes = await readBytes(path, size - keptBytes, keptBytes)
    // At the next line, unless it is far away.
    const lineEnd = bytes.subarray(0, keptBytes / 2).indexOf(0x0a)
    const kept = bytes.subarray(lineEnd < 0 ? firstCharacter(bytes) : lineEnd + 1)
    const dropped = file.dropped + size - kept.length
    const next = { name: `${file.id}.${dropped}.log`, id: file.id, dropped }
    const part = join(folder, `${file.id}.part`)
    await writeFile(part, kept, { mode: 0o600 })
    await rename(part, join(folder, next.name))
    await rm(path, { force: true })
    return next
  }
  const flush = (id: string, stream: Stream): Promise<void> => {
    stream.writing ??= writePending(id, stream)
      .catch((error: unknown) => {
        stream.pending = ''
        if (!stream.hasFailed) log.warn({ id, err: error }, 'the output of an agent job could not be kept')
        stream.hasFailed = true
      })
      .finally(() => {
        stream.writing = null
        if (stream.pending !== '') void flush(id, stream)
      })
    return stream.writing
  }
  const readPart = async (id: string, offset: number): Promise<LogPart> => {
    const file = await findFile(id)
    if (!file) return { text: '', nextOffset: offset, isCut: false, isAtEnd: true }
    const { name, dropped } = file
    const { size } = await stat(join(folder, name))
    const from = Math.min(Math.max(0, offset - dropped), size)
    const bytes = await readBytes(join(folder, name), from, partBytes)
    const end = wholeCharacters(bytes)
    return {
      text: bytes.subarray(firstCharacter(bytes), end).toString(),
      nextOffset: dropped + from + end,
      isCut: dropped > 0,
      // Whatever is behind the last whole character was left by a crash.
      isAtEnd: from + bytes.length >= size && !streams.get(id)?.pending,
    }
  }
  return {
    /** Takes output of a job, in pieces of any length. */
    append: (id: string, text: string) => {
      const stream = openStream(id)
      // A disk that is slower than the output loses its middle.
      const before = stream.pending.length > keptBytes ? '…\n' : stream.pending
      stream.pending = (before + text).slice(-2 * keptBytes)
      const lines = stripVTControlCharacters((stream.line + text).slice(-4 * maxLastLine)).split(/[\r\n]+/)
      stream.line = lines.at(-1)!
      for (const line of lines) stream.last = toLine(line, maxLastLine) ?? stream.last
      void flush(id, stream)
    },
    /** The last readable line since the turn began. Null when there is none. */
    lastLine: (id: string) => streams.get(id)?.last ?? null,
    /** Resolves once all output of a turn is kept, or lost to a full disk; forgets the last line. */
    end: async (id: string) => {
      const stream = streams.get(id)
      while (stream && (stream.pending !== '' || stream.writing)) await flush(id, stream)
      streams.delete(id)
    },
    /** The part at `offset`, or the first one that is kept. */
    read: (id: string, offset: number): Promise<LogPart> =>
      // The file may be replaced by a shorter one meanwhile.
      readPart(id, offset).catch(() => readPart(id, offset)),
    /** Removes the logs of all jobs but these, and what a crash left. */
    keepOnly: async (ids: ReadonlySet<string>) => {
      for (const name of await readdir(folder).catch(() => [])) {
        const file = parseName(name)
        if (!file || !ids.has(file.id)) await rm(join(folder, name), { force: true, recursive: true })
      }
    },
  }
}

/** Output of agent jobs, on the disk. */
export type JobLogs = ReturnType<typeof jobLogs>

const parseName = (name: string): LogFile | null => {
  const [, id, dropped] = /^([\w-]+)\.(\d{1,15})\.log$/.exec(name) ?? []
  return id === undefined ? null : { name, id, dropped: Number(dropped) }
}

const readBytes = async (file: string, from: number, max: number): Promise<Buffer> => {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(max), 0, max, from)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

const isInside = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

/** Position of the first whole character. */
const firstCharacter = (bytes: Buffer): number => {
  let at = 0
  while (at < 4 && isInside(bytes[at])) at += 1
  return at
}

/** Length without a last character that is not complete. */
const wholeCharacters = (bytes: Buffer): number => {
  if (bytes.length === 0) return 0
  let start = bytes.length - 1
  while (start > 0 && bytes.length - start < 4 && isInside(bytes[start])) start -= 1
  const lead = bytes[start]!
  const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  return bytes.length - start >= length ? bytes.length : start
}
