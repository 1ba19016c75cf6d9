import type { Tone } from '#ui/marks/state-mark.tsx'

const fills: Record<Tone, string> = {
  live: 'bg-live',
  waiting: 'bg-live',
  done: 'bg-done',
  merged: 'bg-mark-violet',
  failed: 'bg-failed',
  attention: 'bg-attention',
  idle: 'bg-idle',
  archived: 'bg-idle',
}

/** Progress bar. `percent` is 0 to 100, or null for an indeterminate one. */
export const ProgressBar = ({
  percent,
  label,
  text,
  tone,
}: {
  percent: number | null
  label: string
  text?: string
  tone: Tone
}) => (
  <div
    role="progressbar"
    aria-label={label}
    aria-valuetext={text}
    {...(percent === null ? {} : { 'aria-valuenow': Math.round(percent), 'aria-valuemin': 0, 'aria-valuemax': 100 })}
    className="relative h-1.5 w-full overflow-hidden rounded-full bg-idle-soft"
  >
    {percent === null ? (
      <div className={`animate-slide-across absolute inset-y-0 left-0 w-1/3 rounded-full opacity-80 ${fills[tone]}`} />
    ) : (
      <div
        className={`h-full origin-left rounded-full transition-transform duration-500 ease-out ${fills[tone]}`}
        style={{ transform: `translateX(${percent - 100}%)` }}
      />
    )}
  </div>
)
