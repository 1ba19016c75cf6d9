import type { HistoryEvent, HistoryKind } from '@docket/api-types/history'
import { capitalize } from '#lib/text/format.ts'

/** Reason why an export waited: the response to its start, its turn in line, its end, or a person's decision. */
type PhaseKind = 'asked' | 'accepted' | 'running' | 'unclear'

/** A part of an export's life. Milliseconds since the epoch; `toMs` of one that lasts is now. */
export type Phase = { kind: PhaseKind; name: string; fromMs: number; toMs: number; lasts: boolean }

/** An export's life in phases, with the progress that Docket observed and the gaps in which it did not look. */
export type Phases = {
  fromMs: number
  toMs: number
  phases: Phase[]
  points: { percent: string; atMs: number }[]
  gaps: { fromMs: number; toMs: number }[]
}

const ends: readonly HistoryKind[] = ['completed', 'failed', 'refused']

const beginnings: Partial<Record<HistoryKind, Pick<Phase, 'kind' | 'name'>>> = {
  requested: { kind: 'asked', name: 'Waiting for a response' },
  accepted: { kind: 'accepted', name: 'Accepted' },
  attached: { kind: 'accepted', name: 'Accepted' },
  imported: { kind: 'accepted', name: 'Accepted' },
  answer_lost: { kind: 'unclear', name: 'Unknown outcome' },
  failed: { kind: 'unclear', name: 'Failed' },
  gone: { kind: 'unclear', name: 'Not found on service' },
  back: { kind: 'running', name: 'Found again' },
}

const findPhase = ({ kind, to }: HistoryEvent): Pick<Phase, 'kind' | 'name'> | undefined =>
  kind === 'status_changed' && to !== null
    ? { kind: to === 'queued' ? 'accepted' : 'running', name: capitalize(to.replaceAll('_', ' ')) }
    : beginnings[kind]

/**
 * Phases of an export from its history, up to its end or `nowMs` (milliseconds since the epoch). Null for a history without a beginning,
 * and for an export whose start already reported its end.
 */
export const toPhases = (events: readonly HistoryEvent[], nowMs: number): Phases | null => {
  const last = events.findLastIndex(({ kind }) => ends.includes(kind))
  const lived = last < 0 ? events : events.slice(0, last)
  // The clock of a browser may be behind that of the server.
  const toMs = last < 0 ? Math.max(nowMs, Date.parse(events.at(-1)?.at ?? '') || 0) : Date.parse(events[last]!.at)
  const started = lived.flatMap((event) => {
    const phase = findPhase(event)
    return phase === undefined ? [] : [{ ...phase, fromMs: Date.parse(event.at) }]
  })
  const fromMs = started[0]?.fromMs
  if (fromMs === undefined || toMs <= fromMs) return null
  const phases = started
    .map((phase, index) => {
      const end = started[index + 1]?.fromMs
      return { ...phase, toMs: end ?? toMs, lasts: end === undefined && last < 0 }
    })
    // A phase of zero length was never observed.
    .filter((phase) => phase.toMs > phase.fromMs)
  return {
    fromMs,
    toMs,
    phases,
    points: lived
      .filter(({ kind, to }) => kind === 'progressed' && to !== null)
      .map(({ at, to }) => ({ percent: to!, atMs: Date.parse(at) })),
    gaps: lived
      .filter(({ kind }) => kind === 'not_observed')
      .map(({ at, until }) => ({
        fromMs: Math.max(fromMs, Date.parse(at)),
        toMs: Math.min(toMs, until === null ? toMs : Date.parse(until)),
      })),
  }
}
