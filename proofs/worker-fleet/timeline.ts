/** Something that a worker tells. Times by the clock of the machine. */
export type FleetEvent =
  | { kind: 'ready'; worker: string; at: number }
  | { kind: 'start'; worker: string; jobId: string; domain: string; at: number }
  /** `pageCount` is the attempt's own number; null unless it completed. */
  | { kind: 'end'; worker: string; jobId: string; domain: string; at: number; pageCount: number | null }

/** A worker that was killed, or hung until `until`. */
type Away = { from: number; until: number }

type Worker = { spans: Span[]; idleSince: number | null; runs: Run | null; away: Away[] }
type Run = { jobId: string; domain: string; at: number }
type Span = { kind: 'idle' | 'busy'; from: number; until: number; domain?: string }

/** A moment of the queue: exports that a free worker could have taken. */
export type Sample = { at: number; eligible: number }

/** Everything that the workers told, and what follows from it. */
export const timeline = () => {
  const workers = new Map<string, Worker>()
  const starts = new Map<string, number>()
  const results = new Map<string, Set<number>>()
  const find = (id: string): Worker => {
    const worker = workers.get(id) ?? { spans: [], idleSince: null, runs: null, away: [] }
    workers.set(id, worker)
    return worker
  }
  /** Ends what a worker was at. */
  const settle = (worker: Worker, at: number) => {
    if (worker.runs) worker.spans.push({ kind: 'busy', from: worker.runs.at, until: at, domain: worker.runs.domain })
    if (worker.idleSince !== null) worker.spans.push({ kind: 'idle', from: worker.idleSince, until: at })
    worker.runs = null
    worker.idleSince = null
  }
  const spans = () => [...workers.values()].flatMap(({ spans, away }) => spans.flatMap((span) => cutOut(span, away)))

  return {
    tell: (event: FleetEvent) => {
      const worker = find(event.worker)
      settle(worker, event.at)
      if (event.kind === 'start') {
        worker.runs = event
        if (!starts.has(event.jobId)) starts.set(event.jobId, event.at)
      } else worker.idleSince = event.at
      if (event.kind !== 'end' || event.pageCount === null) return
      results.set(event.jobId, (results.get(event.jobId) ?? new Set()).add(event.pageCount))
    },
    /** Notes that a worker died. */
    die: (id: string, at: number) => settle(find(id), at),
    /** Notes that a worker hung for a while. */
    hang: (id: string, away: Away) => void find(id).away.push(away),
    /** Idle time of all workers as a share of their time, while each of them could have had work. */
    idleShare: (samples: readonly Sample[], needed: number): number => {
      const windows = samples.flatMap(({ at, eligible }, index) => {
        const next = samples[index + 1]
        return next && eligible >= needed && next.eligible >= needed ? [{ from: at, until: next.at }] : []
      })
      const time = { idle: 0, busy: 0 }
      for (const { kind, from, until } of spans())
        for (const window of windows)
          time[kind] += Math.max(0, Math.min(until, window.until) - Math.max(from, window.from))
      return time.idle / (time.idle + time.busy)
    },
    /** The most exports of one domain that ran at once. */
    mostAtOnce: (): number => {
      const now = new Map<string, number>()
      let most = 0
      const changes = spans().flatMap(({ domain, from, until }) =>
        domain === undefined
          ? []
          : [
              { domain, at: from, by: 1 },
              { domain, at: until, by: -1 },
            ],
      )
      for (const { domain, by } of changes.toSorted((a, b) => a.at - b.at || a.by - b.by)) {
        now.set(domain, (now.get(domain) ?? 0) + by)
        most = Math.max(most, now.get(domain)!)
      }
      return most
    },
    /** When the first attempt at an export began. */
    startedAt: (jobId: string) => starts.get(jobId) ?? Infinity,
    /** Whether an attempt at an export completed with this number. */
    hasResult: (jobId: string, pageCount: number) => results.get(jobId)?.has(pageCount) === true,
  }
}

/** What is left of a span without the time in which its worker hung. Work that goes on afterwards belongs to others by then. */
const cutOut = (span: Span, away: readonly Away[]): Span[] => {
  const hit = away.find(({ from, until }) => from < span.until && until > span.from)
  if (hit === undefined) return [span]
  const before = { ...span, until: Math.max(span.from, hit.from) }
  const after = { ...span, from: Math.min(span.until, hit.until) }
  return span.kind === 'busy'
    ? [before]
    : [
        before,
        ...cutOut(
          after,
          away.filter((one) => one !== hit),
        ),
      ]
}
