import { toneText, type Tone } from '#ui/marks/state-mark.tsx'

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
    className={`relative h-1.5 w-full overflow-hidden rounded-full bg-idle-soft ${toneText[tone]}`}
  >
    {percent === null ? (
      <div className="animate-slide-across absolute inset-y-0 left-0 w-1/3 rounded-full bg-current opacity-80" />
    ) : (
      <div
        className="h-full origin-left rounded-full bg-current transition-transform duration-500 ease-out"
        style={{ transform: `translateX(${percent - 100}%)` }}
      />
    )}
  </div>
)
