import type { Delivery } from '@docket/api-types/targets'
import { useQuery } from '@tanstack/react-query'
import {
  deliveryKinds,
  deliveryStates,
  describeFiles,
  describeProgress,
  hasFoundDamage,
  nameRelease,
} from '#features/releases/targets/target-labels.ts'
import { deliveriesQuery, type TargetKey } from '#features/releases/targets/targets.queries.ts'
import { isolateText, revealHiddenCharacters } from '#lib/text/format.ts'
import { ReadState, Loading } from '#ui/layout/page.tsx'
import { Elapsed, Instant, usePaused } from '#ui/live/ticking.tsx'
import { StateLabel } from '#ui/marks/state-mark.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'

const differs = { tone: 'attention', word: 'Files differ' } as const

const DeliveryItem = ({ delivery }: { delivery: Delivery }) => {
  const { kind, state, askedBy, askedAt, startedAt, endedAt, problem } = delivery
  const { tone, word } = hasFoundDamage(delivery) ? differs : deliveryStates[state]
  const files = describeFiles(delivery)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-0.5 py-2.5">
      <p className="flex flex-wrap items-center justify-between gap-x-4">
        <span className="font-medium">
          {deliveryKinds[kind].title} {nameRelease(delivery)}
        </span>
        <StateLabel tone={tone}>{word}</StateLabel>
      </p>
      <p className="text-muted wrap-anywhere">
        <bdi className="text-text">{revealHiddenCharacters(askedBy)}</bdi>, <Instant at={askedAt} />
        {startedAt !== null && state !== 'replaced' && (
          <>
            {' · '}
            <Elapsed from={startedAt} to={endedAt} />
          </>
        )}
        {state === 'running' && ` · ${describeProgress(delivery).words}`}
        {files !== null && ` · ${files}`}
      </p>
      {problem !== null && (
        <p dir="auto" className={`wrap-anywhere ${state === 'failed' ? 'text-failed' : 'text-attention'}`}>
          {revealHiddenCharacters(problem)}
        </p>
      )}
    </li>
  )
}

type HistoryDialogProps = { target: TargetKey; name: string; onClose: () => void }

export const HistoryDialog = ({ target, name, onClose }: HistoryDialogProps) => {
  const query = useQuery(deliveriesQuery(target, usePaused()))
  const { data } = query
  return (
    <Dialog wide onClose={onClose} title={`Deliveries to ${isolateText(name)}`}>
      <ReadState query={query} waiting={<Loading label="Loading deliveries" lines={['h-24 w-full']} />} />
      {data?.deliveries.length === 0 && <p className="text-sm text-muted">Nothing was delivered yet.</p>}
      {data && data.deliveries.length > 0 && (
        <ul className="divide-y divide-line text-sm">
          {data.deliveries.map((delivery) => (
            <DeliveryItem key={delivery.deliveryId} delivery={delivery} />
          ))}
        </ul>
      )}
    </Dialog>
  )
}
