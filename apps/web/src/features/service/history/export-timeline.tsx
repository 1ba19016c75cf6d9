import { useQuery } from '@tanstack/react-query'
import { formatDuration } from '#lib/text/format.ts'
import { nowMs } from '#lib/time/clock.ts'
import { Panel } from '#ui/layout/page.tsx'
import { usePaused } from '#ui/live/ticking.tsx'
import { toPhases, type Phase, type Phases } from './export-phases.ts'
import { useHistoryQuery } from './history.queries.ts'

// Forced colours would remove every fill.
const fills: Record<Phase['kind'], string> = {
  asked: 'bg-line-strong forced-colors:bg-[GrayText]',
  accepted: 'bg-live/40 forced-colors:bg-[CanvasText]',
  running: 'bg-live forced-colors:bg-[Highlight]',
  unclear: 'bg-attention forced-colors:bg-[LinkText]',
}

/** `4 s`, or `below 1 s` for durations that polling cannot measure. */
const formatPhase = ({ fromMs, toMs }: { fromMs: number; toMs: number }) =>
  toMs - fromMs < 1000 ? 'under 1 s' : formatDuration(toMs - fromMs)

const minLabelGap = 0.08

const PhaseBar = ({ life }: { life: Phases }) => {
  const percent = (ms: number) => `${((ms - life.fromMs) / (life.toMs - life.fromMs)) * 100}%`
  const place = ({ fromMs, toMs }: { fromMs: number; toMs: number }) => ({
    left: percent(fromMs),
    width: percent(life.fromMs + toMs - fromMs),
  })
  // Labels of points that are close would overlap; the last one stays.
  const hasRoom = (atMs: number) =>
    !life.points.some((other) => other.atMs > atMs && other.atMs - atMs < (life.toMs - life.fromMs) * minLabelGap)
  return (
    <div aria-hidden="true" className="relative mb-1 h-6 sm:h-9 forced-color-adjust-none">
      {life.phases.map((phase) => (
        <span
          key={phase.fromMs}
          className={`absolute top-0 h-5 min-w-0.5 border-r border-surface first:rounded-l-sm ${fills[phase.kind]}`}
          style={place(phase)}
        />
      ))}
      {life.gaps.map((gap) => (
        <span key={gap.fromMs} className="absolute top-0 h-5 border-x border-surface bg-surface/70" style={place(gap)}>
          <span className="block size-full hatched" />
        </span>
      ))}
      {life.points.map(({ percent: reached, atMs }) => (
        <span
          key={atMs}
          className="absolute top-0 flex -translate-x-1/2 flex-col items-center text-xs whitespace-nowrap text-muted"
          style={{ left: percent(atMs) }}
        >
          <span className="h-6 w-0.5 bg-text ring-1 ring-surface" />
          {hasRoom(atMs) && <span className="hidden sm:inline">{reached} %</span>}
        </span>
      ))}
    </div>
  )
}

const isWithinPhase = ({ fromMs, toMs }: Phase, atMs: number) => fromMs <= atMs && atMs < toMs

const PhaseStep = ({ phase, life }: { phase: Phase; life: Phases }) => {
  const notes = [
    ...life.points
      .filter(({ atMs }) => isWithinPhase(phase, atMs))
      .map(({ percent, atMs }) => `${percent} % after ${formatPhase({ fromMs: life.fromMs, toMs: atMs })}`),
    ...life.gaps
      .filter(({ fromMs }) => isWithinPhase(phase, fromMs))
      .map((gap) => `not observed for ${formatPhase(gap)}`),
  ]
  return (
    <li className="flex min-w-0 items-baseline gap-2 text-sm">
      <span
        aria-hidden="true"
        className={`size-2.5 shrink-0 rounded-[2px] forced-color-adjust-none ${fills[phase.kind]}`}
      />
      <span className="min-w-0 wrap-anywhere">
        <bdi>{phase.name}</bdi> <span className="text-muted">{formatPhase(phase)}</span>
        {phase.lasts && <span className="text-muted"> so far</span>}
        {notes.length > 0 && <span className="block text-xs text-muted">{notes.join(' · ')}</span>}
      </span>
    </li>
  )
}

export const ExportTimeline = ({ exportId, live }: { exportId: string; live: boolean }) => {
  const { data } = useQuery(useHistoryQuery({ type: 'static_export', exportId }, live, usePaused()))
  const life = data && toPhases(data.events, nowMs())
  if (!life) return null
  return (
    <Panel
      title="Timeline"
      action={
        <span className="text-sm text-muted">{formatPhase({ fromMs: life.fromMs, toMs: life.toMs })} in total</span>
      }
    >
      <PhaseBar life={life} />
      <ol className="flex flex-wrap gap-x-6 gap-y-1.5">
        {life.phases.map((phase) => (
          <PhaseStep key={phase.fromMs} phase={phase} life={life} />
        ))}
      </ol>
    </Panel>
  )
}
