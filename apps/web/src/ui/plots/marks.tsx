import { symbol, symbolCircle, symbolTimes, symbolTriangle } from 'd3-shape'

/** Outcome of what a plot shows. Each has its own shape and word, so that colour is never the only sign. */
export type Outcome = 'completed' | 'failed' | 'lost'

const shapes = {
  completed: {
    path: symbol(symbolCircle, 30)()!,
    look: 'fill-done stroke-surface forced-colors:fill-[CanvasText] forced-colors:stroke-[Canvas]',
  },
  failed: {
    path: symbol(symbolTimes, 55)()!,
    look: 'stroke-failed stroke-2 forced-colors:stroke-[CanvasText]',
  },
  lost: {
    path: symbol(symbolTriangle, 36)()!,
    look: 'fill-attention stroke-surface forced-colors:fill-[CanvasText] forced-colors:stroke-[Canvas]',
  },
} satisfies Record<Outcome, { path: string; look: string }>

export const barFill: Record<Outcome, string> = {
  completed: 'fill-done/60 forced-colors:fill-[CanvasText]',
  failed: 'fill-failed forced-colors:fill-[Highlight]',
  lost: 'fill-attention forced-colors:fill-[GrayText]',
}

export const outcomeLabels: Record<Outcome, string> = {
  completed: 'Completed',
  failed: 'Failed',
  lost: 'Unknown or not found',
}

export const OutcomeMark = ({ outcome, ...place }: { outcome: Outcome; transform?: string }) => (
  <path d={shapes[outcome].path} className={shapes[outcome].look} {...place} />
)

export const OutcomeLegend = ({ outcomes }: { outcomes: ReadonlySet<Outcome> }) => (
  <span className="flex flex-wrap gap-x-3 text-xs text-muted">
    {(['completed', 'failed', 'lost'] as const)
      .filter((outcome) => outcomes.has(outcome))
      .map((outcome) => (
        <span key={outcome} className="inline-flex items-center gap-1">
          <svg viewBox="-6 -6 12 12" className="size-3" aria-hidden="true">
            <OutcomeMark outcome={outcome} />
          </svg>
          {outcomeLabels[outcome]}
        </span>
      ))}
  </span>
)
