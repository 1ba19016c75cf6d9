import type { Gate } from '@docket/api-types/publish-checks'
import type { Channel, Site } from '@docket/api-types/sites'
import type { ReactNode } from 'react'
import { describePageChange, nameChannel } from '#features/releases/sites/site-labels.ts'
import { useSeesExports } from '#features/releases/sites/use-sees-exports.ts'
import { formatCount } from '#lib/text/format.ts'
import { Link } from '#ui/links/link.tsx'
import { StateLabel } from '#ui/marks/state-mark.tsx'
import { GateChecklist } from './gate-checklist.tsx'

const GateChanges = ({ site, channel, gate }: { site: Site; channel: Channel; gate: Gate }) => {
  const seesExports = useSeesExports(site)
  const { against, isShown } = gate
  const name = nameChannel(channel)
  const change = describePageChange(gate.change)
  if (isShown) return <p className="text-sm">{name} shows this export already.</p>
  if (against === null)
    return <p className="text-sm">{name} shows nothing yet, so readers see every page for the first time.</p>
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-sm">
      <span className="font-medium first-letter:uppercase">
        {change ?? `Compared with release ${formatCount(against.number)}`}
      </span>
      {seesExports && (
        <Link
          to="/exports/$exportId/changes"
          params={{ exportId: gate.exportId }}
          search={{ against: against.exportId }}
          target="_blank"
          className="inline-flex min-h-6 items-center text-accent hover:underline"
        >
          Compare with release {formatCount(against.number)}
          <span className="sr-only"> (opens in a new tab)</span>
        </Link>
      )}
    </p>
  )
}

export const GateView = (props: { site: Site; channel: Channel; gate: Gate; children?: ReactNode }) => {
  const { gate, children } = props
  const failed = gate.checks.filter(({ state }) => state === 'failed').length
  return (
    <div className="grid gap-3">
      <GateChanges {...props} />
      <section aria-label="Gate" className="grid gap-1.5">
        <h3 className="flex items-center gap-2 text-sm font-semibold">
          Gate
          <span role="status" className="text-sm">
            {gate.passed ? (
              <StateLabel tone="done">Passed</StateLabel>
            ) : (
              <StateLabel tone="failed">{formatCount(failed)} failed</StateLabel>
            )}
          </span>
        </h3>
        <GateChecklist checks={gate.checks} />
      </section>
      {children}
    </div>
  )
}
