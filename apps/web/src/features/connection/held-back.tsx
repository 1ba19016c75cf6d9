import type { ConnectionReport } from '@docket/api-types/connection'
import { formatPlural, formatRough } from '#lib/format.ts'
import { Notice } from '#ui/notice.tsx'
import { Ago, Instant, Ticking } from '#ui/ticking.tsx'

const callLabels = {
  static_exports: 'Calls about exports',
  agent_jobs: 'Calls about agent jobs',
  agent_prompts: 'New agent jobs and follow-ups',
}

/** Open circuit breakers and late reads. Renders nothing without any. */
export const HeldBack = ({ gates, late }: Pick<ConnectionReport, 'gates' | 'late'>) => (
  <>
    {gates.map((breaker) => (
      <Notice key={breaker.calls} tone="attention" title={`${callLabels[breaker.calls]} are held back`}>
        <span className="block">{breaker.message}</span>
        Since <Ago at={breaker.since} />; the next call is made{' '}
        <Ticking
          text={(now) => {
            const leftMs = Date.parse(breaker.until) - now
            return leftMs <= 0 ? 'now' : `in ${formatRough(leftMs + 999)}`
          }}
        />{' '}
        (<Instant at={breaker.until} />
        ).
      </Notice>
    ))}
    {late.count > 0 && (
      <Notice tone="attention" title={`${formatPlural(late.count, 'read is', 'reads are')} late`}>
        The longest by {formatRough(late.byMs)}. {late.why ?? 'Docket does not know why.'}
      </Notice>
    )}
  </>
)
