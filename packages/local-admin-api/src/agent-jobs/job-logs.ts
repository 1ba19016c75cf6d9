import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { toLine } from '@docket/sources/text'
import { and, asc, desc, eq, gt, lt, lte, sql } from 'drizzle-orm'
import type { Attempt } from '#agent-jobs/agent-job-store.ts'
import { agentJobOutput as output, agentJobs } from '#agent-jobs/agent-jobs.table.ts'
import type { Database } from '#database/database.ts'
import type { Log } from '#log.ts'

/** Offsets are UTF-8 bytes since the beginning, including dropped output. */
export type LogPart = {
  text: string
  nextOffset: number
  isCut: boolean
  isAtEnd: boolean
}

/** Never rejects. */
export type JobOutput = {
  append: (text: string) => void
  /** Resolves once all output is stored, or lost because the database failed. */
  end: () => Promise<void>
}

const defaults = { keptBytes: 1024 * 1024, partBytes: 256 * 1024, everyMs: 1_000 }
const rowBytes = 64 * 1024
const maxLastLine = 300
/** Bytes of the newest rows in which the last line is looked for. */
const tailBytes = 4 * maxLastLine
const lastTries = 3

/** Output of agent jobs in the database: the last `keptBytes` or so of each. Rows are deleted with their job. */
export const createJobLogs = (db: Database, log: Log, limits: Partial<typeof defaults> = {}) => {
  const { keptBytes, partBytes, everyMs } = { ...defaults, ...limits }

  const readEnd = async (id: string): Promise<number> => {
    const [last] = await db
      .select({ endAt: output.endAt })
      .from(output)
      .where(eq(output.jobId, id))
      .orderBy(desc(output.startAt))
      .limit(1)
    return last?.endAt ?? 0
  }
  const write = ({ id, attemptId }: Attempt, at: number, bytes: Buffer): Promise<void> =>
    db.transaction(async (tx) => {
      const isAt = and(eq(agentJobs.id, id), eq(agentJobs.attemptId, attemptId))
      const [job] = await tx.select({ id: agentJobs.id }).from(agentJobs).where(isAt).for('share')
      if (!job) return
      await tx.insert(output).values(toRows(id, at, bytes))
      await tx.delete(output).where(and(eq(output.jobId, id), lte(output.endAt, at + bytes.length - keptBytes)))
    })

  const open = (attempt: Attempt): JobOutput => {
    let pending = ''
    let batch: { at: number; bytes: Buffer } | null = null
    let at: number | null = null
    let hasFailed = false
    let writing: Promise<boolean> | null = null
    let timer: NodeJS.Timeout | undefined

    const takePending = () => {
      // The second half of a character may come with the next piece.
      const isHalf = /[\ud800-\udbff]$/.test(pending)
      const text = isHalf ? pending.slice(0, -1) : pending
      pending = isHalf ? pending.slice(-1) : ''
      return Buffer.from(text)
    }
    const writePending = async () => {
      const end = at ?? (await readEnd(attempt.id))
      // It may already be stored if only the response was lost.
      if (batch !== null && end >= batch.at + batch.bytes.length) batch = null
      batch ??= { at: end, bytes: takePending() }
      at = null
      if (batch.bytes.length > 0) await write(attempt, batch.at, batch.bytes)
      at = batch.at + batch.bytes.length
      batch = null
    }
    const flush = (): Promise<boolean> => {
      clearTimeout(timer)
      timer = undefined
      writing ??= writePending()
        .then(() => true)
        .catch((error: unknown) => {
          if (!hasFailed) log.warn({ id: attempt.id, err: error }, 'the output of an agent job could not be kept yet')
          hasFailed = true
          return false
        })
        .finally(() => (writing = null))
      return writing
    }
    let lastFlush = 0
    const flushSoon = () => {
      timer ??= setTimeout(
        () => {
          lastFlush = performance.now()
          void flush().then(() => {
            if (pending !== '' || batch !== null) flushSoon()
          })
        },
        Math.max(0, lastFlush + everyMs - performance.now()),
      ).unref()
    }
    return {
      append: (text) => {
        // When the database is slower than the output, the middle of the output is dropped.
        const before = pending.length > keptBytes ? '…\n' : pending
        pending = (before + text).slice(-2 * keptBytes)
        flushSoon()
      },
      end: async () => {
        for (let tries = 0; tries < lastTries; tries += 1) {
          if (writing) await writing
          pending = pending.toWellFormed()
          const isWritten = await flush()
          if (isWritten && pending === '') break
          if (!isWritten) await sleep(everyMs / 2)
        }
        clearTimeout(timer)
      },
    }
  }

  return {
    open,
    lastLine: async (id: string): Promise<string | null> => {
      const rows = await db
        .select({
          bytes: sql<Buffer>`substring(${output.bytes} from greatest(1, length(${output.bytes}) - ${tailBytes}))`,
        })
        .from(output)
        .where(eq(output.jobId, id))
        .orderBy(desc(output.startAt))
        .limit(3)
      const tail = Buffer.concat(rows.toReversed().map(({ bytes }) => bytes))
      const text = tail.subarray(findFirstCharacter(tail)).toString()
      const lines = stripVTControlCharacters(text.slice(-tailBytes)).split(/[\r\n]+/)
      for (const line of lines.toReversed()) {
        const readable = toLine(line, maxLastLine)
        if (readable) return readable
      }
      return null
    },
    /** The part at `offset`, or the first one that is stored. */
    read: async (id: string, offset: number): Promise<LogPart> => {
      const end = await readEnd(id)
      const [first] = await db
        .select({ startAt: output.startAt })
        .from(output)
        .where(eq(output.jobId, id))
        .orderBy(asc(output.startAt))
        .limit(1)
      if (!first) return { text: '', nextOffset: offset, isCut: false, isAtEnd: true }
      const from = Math.min(Math.max(first.startAt, offset), end)
      const rows = await db
        .select()
        .from(output)
        .where(
          and(
            eq(output.jobId, id),
            gt(output.startAt, from - rowBytes),
            lt(output.startAt, from + partBytes),
            gt(output.endAt, from),
          ),
        )
        .orderBy(asc(output.startAt))
      const isCut = first.startAt > 0
      if (rows.length === 0) return { text: '', nextOffset: from, isCut, isAtEnd: true }
      const all = Buffer.concat(rows.map(({ bytes }) => bytes))
      const bytes = all.subarray(Math.max(0, from - rows[0]!.startAt)).subarray(0, partBytes)
      const until = countWholeCharacters(bytes)
      const begin = offset < first.startAt ? readFirstLine(bytes.subarray(0, until)) : findFirstCharacter(bytes)
      const nextOffset = Math.max(from, rows[0]!.startAt) + until
      return { text: bytes.subarray(begin, until).toString(), nextOffset, isCut, isAtEnd: nextOffset >= end }
    },
  }
}

export type JobLogs = ReturnType<typeof createJobLogs>

/** Rows for `bytes`, which begin at the offset `at`: whole characters in each. */
export const toRows = (jobId: string, at: number, bytes: Buffer): (typeof output.$inferInsert)[] => {
  const rows: (typeof output.$inferInsert)[] = []
  for (let start = 0; start < bytes.length;) {
    const part = bytes.subarray(start, start + rowBytes)
    const length = start + part.length < bytes.length ? countWholeCharacters(part) || part.length : part.length
    rows.push({ jobId, startAt: at + start, endAt: at + start + length, bytes: part.subarray(0, length) })
    start += length
  }
  return rows
}

const readFirstLine = (bytes: Buffer): number => {
  const lineEnd = bytes.subarray(0, rowBytes).indexOf(0x0a)
  return lineEnd < 0 ? findFirstCharacter(bytes) : lineEnd + 1
}

const isInside = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

const findFirstCharacter = (bytes: Buffer): number => {
  let at = 0
  while (at < 4 && isInside(bytes[at])) at += 1
  return at
}

/** Length without an incomplete last character. */
const countWholeCharacters = (bytes: Buffer): number => {
  if (bytes.length === 0) return 0
  let start = bytes.length - 1
  while (start > 0 && bytes.length - start < 4 && isInside(bytes[start])) start -= 1
  const lead = bytes[start]!
  const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  return bytes.length - start >= length ? bytes.length : start
}
