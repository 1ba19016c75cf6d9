import { compareDuration, formatUsualDuration, type Usual as UsualDuration } from '#lib/time/durations.ts'
import { TickingText } from '#ui/live/ticking.tsx'

/**
 * Compares a duration with earlier ones: `Usually 4–6 min (last 23 exports), longer than 95 % of the earlier 23`. `to` is null while the
 * clock runs. Renders nothing while too few durations are known.
 */
export const Usual = ({
  usual,
  noun,
  from,
  to,
}: {
  usual: UsualDuration | null
  noun: string
  from: string
  to: string | null
}) => {
  const usually = formatUsualDuration(usual, noun)
  if (usually === null) return null
  const compared = (nowMs: number) => {
    const words = compareDuration(usual, nowMs - Date.parse(from))
    return words === null ? '' : `, ${words}`
  }
  return (
    <span>
      {usually}
      <span className={to === null ? 'text-attention' : ''}>
        {to === null ? <TickingText text={compared} /> : compared(Date.parse(to))}
      </span>
    </span>
  )
}
