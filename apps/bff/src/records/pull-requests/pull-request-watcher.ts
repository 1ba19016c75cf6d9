import { CodeHostError } from '@docket/code-hosts/code-host-error'
import type { AgentJobKey } from '@docket/api-types/agent-jobs'
import { inArray, and, eq, isNull, lte, lt, or, sql } from 'drizzle-orm'
import { type CodeHostRow, readCodeHosts } from '#service/connections/code-hosts.ts'
import { codeHosts } from '#service/connections/code-hosts.table.ts'
import {
  type ClaimedPullRequest,
  claimDuePullRequest,
  claimPullRequestNow,
  planViewedReads,
  postponeRead,
  saveReadProblem,
  writePullRequest,
} from '#records/agent-jobs/pull-requests/pull-request-reads.ts'
import type { Database } from '#ground/db/database.ts'
import type { Log } from '#ground/log/log.ts'
import { formatOwnCodeHostUrl, type OpenCodeHost, type OpenedCodeHost, type OwnCodeHost } from './open-code-hosts.ts'

const hourMs = 60 * 60_000
/** Applies to each token. A read needs up to three calls, and GitHub allows 5,000 calls an hour. */
const maxReadsPerHour = 600

/** All replicas share the budget and the pauses of a code host. */
const createCodeHostBudget = (db: Database) => {
  const isRow = ({ codeHostId, sealedToken }: CodeHostRow) =>
    // A new token starts with a fresh budget.
    and(eq(codeHosts.codeHostId, codeHostId), sql`${codeHosts.sealedToken} is not distinct from ${sealedToken}`)

  return {
    /** Takes one read. False while the code host is paused or its budget is spent. */
    take: async (row: CodeHostRow, now: number): Promise<boolean> => {
      const at = new Date(now)
      const isNewHour = sql`coalesce(${codeHosts.hourBegan} <= ${new Date(now - hourMs)}, true)`
      const taken = await db
        .update(codeHosts)
        .set({
          hourBegan: sql`case when ${isNewHour} then ${at} else ${codeHosts.hourBegan} end`,
          readsInHour: sql`case when ${isNewHour} then 1 else ${codeHosts.readsInHour} + 1 end`,
        })
        .where(
          and(
            isRow(row),
            or(isNull(codeHosts.pausedUntil), lte(codeHosts.pausedUntil, at)),
            or(isNewHour, lt(codeHosts.readsInHour, maxReadsPerHour)),
          ),
        )
        .returning({ codeHostId: codeHosts.codeHostId })
      return taken.length > 0
    },
    /** `waitMs`: how long to wait for a limit that the code host reported as spent. */
    noteAnswer: async (row: CodeHostRow, now: number, waitMs: number | null) => {
      const pausedUntil = waitMs === null ? null : new Date(now + Math.min(waitMs, hourMs))
      const set = { answeredAt: new Date(now), problem: null, failures: 0, pausedUntil }
      await db.update(codeHosts).set(set).where(isRow(row))
    },
    /** Pauses every call after a failure of the code host or of its token. */
    pause: async (row: CodeHostRow, problem: string, until: Date) => {
      const set = { problem, pausedUntil: until, failures: sql`${codeHosts.failures} + 1` }
      await db.update(codeHosts).set(set).where(isRow(row))
    },
  }
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const minWaitMs = minuteMs
const maxWaitMs = 15 * minuteMs
const weekMs = 7 * dayMs

/**
 * Returns when an open pull request is read next: a minute later while it is new, then less and less often up to a quarter of an hour, and
 * daily after a week. `readyAt` is when the job finished. Milliseconds since the epoch.
 */
const planNextRead = (now: number, readyAt: Date | null): Date => {
  const ageMs = Math.max(0, now - (readyAt?.getTime() ?? now))
  const waitMs = ageMs > weekMs ? dayMs : Math.min(maxWaitMs, Math.max(minWaitMs, ageMs / 4))
  return new Date(now + waitMs)
}

/** Returns when to repeat a failed read of a pull request: an hour after the first failure, doubled up to a day. */
const planRetry = (now: number, failures: number): Date =>
  new Date(now + Math.min(dayMs, 60 * minuteMs * 2 ** Math.min(failures, 10)))

/** No calls are made for a minute after the first failure, doubled up to an hour. Milliseconds. */
const calculatePauseMs = (failures: number): number => Math.min(60 * minuteMs, minuteMs * 2 ** Math.min(failures, 10))

export type ReadOutcome = 'read' | 'failed' | 'limited' | 'postponed'

const lookEveryMs = 10_000
/** The limit keeps every pass short. */
const maxReadsPerPass = 20
const readTimeoutMs = 20_000
const rejectedPauseMs = 60 * 60_000
/** Longest pause that a code host can request, so that a wrong clock does not stop reads for years. */
const maxAskedPauseMs = 60 * 60_000
const noPagePauseMs = 24 * 60 * 60_000

/** Due times and pauses are in the database, so several replicas share the work. */
export const createPullRequestWatcher = (deps: {
  db: Database
  connectionId: string
  open: OpenCodeHost
  own: readonly OwnCodeHost[]
  onRead: (outcome: ReadOutcome, kind: CodeHostRow['kind']) => void
  now: () => number
  log: Log
}) => {
  const { db, connectionId, open, own, onRead, now, log } = deps
  const budget = createCodeHostBudget(db)
  const stopping = new AbortController()
  const viewed = new Map<string, AgentJobKey>()
  let running: Promise<void> | undefined
  let lookAt = 0

  const describeOwn = async () => {
    const wanted = own.map((host) => ({ connectionId, kind: host.kind, url: formatOwnCodeHostUrl(host) }))
    const rows = (await readCodeHosts(db, connectionId)).filter(({ sealedToken }) => sealedToken === null)
    const old = rows.filter((row) => !wanted.some(({ kind, url }) => row.kind === kind && row.url === url))
    if (old.length > 0)
      await db.delete(codeHosts).where(
        inArray(
          codeHosts.codeHostId,
          old.map(({ codeHostId }) => codeHostId),
        ),
      )
    if (wanted.length > 0) await db.insert(codeHosts).values(wanted).onConflictDoNothing()
  }
  let described: Promise<void> | undefined

  const listCodeHosts = async (): Promise<CodeHostRow[]> => {
    described ??= describeOwn().catch((error: unknown) => {
      described = undefined
      throw error
    })
    await described
    return readCodeHosts(db, connectionId)
  }
  const isReady = ({ pausedUntil }: CodeHostRow) => (pausedUntil?.getTime() ?? 0) <= now()

  const pause = async (row: CodeHostRow, claimed: ClaimedPullRequest, problem: string, waitMs: number) => {
    const until = new Date(now() + waitMs)
    await budget.pause(row, problem, until)
    await postponeRead(db, claimed, until)
    const { kind, url } = row
    if (row.problem === null) log.warn({ connectionId, kind, url, problem }, 'a code host cannot be read')
  }

  /** False when no further call may be made for now. */
  const noteAnswer = async (row: CodeHostRow, codeHost: OpenedCodeHost, at: number): Promise<boolean> => {
    const spentMs = codeHost.takeSpent()
    await budget.noteAnswer(row, at, spentMs)
    return spentMs === null
  }

  const noteFailure = async (
    row: CodeHostRow,
    codeHost: OpenedCodeHost,
    claimed: ClaimedPullRequest,
    error: unknown,
  ): Promise<boolean> => {
    if (stopping.signal.aborted) return postponeRead(db, claimed, new Date(now())).then(() => false)
    const timedOut = error instanceof Error && error.name === 'TimeoutError'
    if (!(error instanceof CodeHostError || timedOut)) throw error
    const kind = error instanceof CodeHostError ? error.kind : 'unreachable'
    const message = timedOut ? `${new URL(row.url).host} did not answer in ${readTimeoutMs / 1000} s.` : error.message
    onRead(kind === 'limited' ? 'limited' : 'failed', row.kind)
    if (kind === 'limited' || kind === 'unreachable' || kind === 'rejected') {
      const asked = error instanceof CodeHostError ? error.waitMs : null
      const askedMs = asked === null ? calculatePauseMs(row.failures) : Math.min(asked, maxAskedPauseMs)
      await pause(row, claimed, message, kind === 'rejected' ? rejectedPauseMs : askedMs)
      return false
    }
    const at = now()
    await saveReadProblem(db, claimed, message, { now: at, dueAt: planRetry(at, claimed.failures) })
    log.debug({ connectionId, kind: row.kind, problem: message }, 'a pull request cannot be read')
    return kind !== 'missing' || noteAnswer(row, codeHost, at)
  }

  /** False when the code host gets no further calls for now. */
  const read = async (row: CodeHostRow, codeHost: OpenedCodeHost, claimed: ClaimedPullRequest): Promise<boolean> => {
    const pullRequest = codeHost.pullRequestAt(claimed.link)
    if (pullRequest === null) {
      const problem = `The link isn’t the page of a pull request at ${row.url}.`
      await saveReadProblem(db, claimed, problem, { now: now(), dueAt: new Date(now() + noPagePauseMs) })
      return true
    }
    if (!(await budget.take(row, now()))) {
      onRead('postponed', row.kind)
      await postponeRead(db, claimed, new Date(now() + calculatePauseMs(0)))
      return false
    }
    try {
      const details = await pullRequest.read(AbortSignal.any([stopping.signal, AbortSignal.timeout(readTimeoutMs)]))
      const at = now()
      await writePullRequest(db, claimed, details, { now: at, dueAt: planNextRead(at, claimed.readyAt) })
      onRead('read', row.kind)
      return await noteAnswer(row, codeHost, at)
    } catch (error) {
      return noteFailure(row, codeHost, claimed, error)
    }
  }

  const tryOpen = async (row: CodeHostRow): Promise<OpenedCodeHost | null> => {
    try {
      return open(row)
    } catch (error) {
      const problem = error instanceof Error ? error.message : 'It can’t be used.'
      await budget.pause(row, problem, new Date(now() + calculatePauseMs(row.failures)))
      return null
    }
  }

  const readFrom = async (row: CodeHostRow, all: readonly CodeHostRow[]) => {
    const at = { url: row.url, others: all.map(({ url }) => url).filter((url) => url.startsWith(`${row.url}/`)) }
    const codeHost = await tryOpen(row)
    for (let reads = 0; codeHost !== null && reads < maxReadsPerPass && !stopping.signal.aborted; reads += 1) {
      const claimed = await claimDuePullRequest(db, connectionId, at, now())
      if (claimed === null || !(await read(row, codeHost, claimed))) return
    }
  }

  const pass = async () => {
    const [seen, rows] = [[...viewed.values()], await listCodeHosts()]
    viewed.clear()
    if (rows.length === 0) return
    if (seen.length > 0) await planViewedReads(db, connectionId, seen, now())
    await Promise.all(rows.filter(isReady).map((row) => readFrom(row, rows)))
  }

  return {
    pass,
    /** Begins a pass every ten seconds, one at a time. Call this often. */
    tick: () => {
      if (running !== undefined || stopping.signal.aborted || performance.now() < lookAt) return
      lookAt = performance.now() + lookEveryMs
      running = pass()
        .catch((error: unknown) => log.debug({ err: error, connectionId }, 'pull requests were not read'))
        .finally(() => (running = undefined))
    },
    note: (names: readonly AgentJobKey[]) => {
      for (const key of names) if (viewed.size < 200) viewed.set(JSON.stringify([key.projectId, key.id]), key)
    },
    /** Reads it in any state, unless the code host is paused. */
    readNow: async (key: AgentJobKey) => {
      const rows = await listCodeHosts()
      if (!rows.some(isReady)) return
      const claimed = await claimPullRequestNow(db, { connectionId, ...key }, now())
      if (claimed === null) return
      const [row] = rows
        .filter(({ url }) => claimed.link.startsWith(`${url}/`))
        .toSorted((a, b) => b.url.length - a.url.length)
      const codeHost = row && isReady(row) && (await tryOpen(row))
      if (row && codeHost) await read(row, codeHost, claimed)
      else await postponeRead(db, claimed, new Date(now()))
    },
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
