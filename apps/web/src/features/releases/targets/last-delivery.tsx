import type { Delivery } from '@docket/api-types/targets'
import { formatCount, revealHiddenCharacters } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Ago } from '#ui/live/ticking.tsx'
import { StateLabel } from '#ui/marks/state-mark.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { ProgressBar } from '#ui/records/progress-bar.tsx'
import {
  deliveryKinds,
  describeFiles,
  describeProgress,
  hasFoundDamage,
  isDeliveryUnderWay,
  nameRelease,
} from './target-labels.ts'

type LastDeliveryProps = {
  delivery: Delivery
  target: string
  /** Number of the release that would be delivered. Null if there is none. */
  next: number | null
  busy: boolean
  refused: string | null
  onAgain: () => void
}

const DeliveryProgress = ({ delivery, target }: Pick<LastDeliveryProps, 'delivery' | 'target'>) => {
  const { percent, words, amount } = describeProgress(delivery)
  const { kind, state, problem } = delivery
  return (
    <div className="space-y-1.5">
      <p className="flex flex-wrap justify-between gap-x-4">
        {state === 'waiting' ? (
          <StateLabel tone="waiting">{words}</StateLabel>
        ) : (
          <span>
            {deliveryKinds[kind].doing} {nameRelease(delivery)}
          </span>
        )}
        <span className="text-muted tabular-nums">
          {state === 'running' && [words, amount].filter(Boolean).join(' · ')}
        </span>
      </p>
      {state === 'running' && (
        <ProgressBar
          percent={percent}
          tone="live"
          label={`${deliveryKinds[kind].doing} ${nameRelease(delivery)}: ${target}`}
          text={[words, amount].filter(Boolean).join(', ')}
        />
      )}
      {problem !== null && (
        <p dir="auto" className="text-xs text-attention wrap-anywhere">
          The last attempt failed, and Docket tries again. {revealHiddenCharacters(problem)}
        </p>
      )}
    </div>
  )
}

export const LastDelivery = ({ delivery, target, next, busy, refused, onAgain }: LastDeliveryProps) => {
  const { kind, state, problem, endedAt } = delivery
  const files = describeFiles(delivery)
  const isDamaged = hasFoundDamage(delivery)
  const labels = deliveryKinds[kind]
  if (isDeliveryUnderWay(delivery)) return <DeliveryProgress delivery={delivery} target={target} />
  if (state === 'failed' || isDamaged)
    return (
      <Notice
        tone={isDamaged ? 'attention' : 'failed'}
        title={isDamaged ? 'The target is not as Docket delivered it' : labels.failed}
      >
        {isDamaged && <span>{files}. </span>}
        {problem !== null && <span>{revealHiddenCharacters(problem)} </span>}
        {endedAt !== null && (
          <span className="whitespace-nowrap">
            <Ago at={endedAt} />
          </span>
        )}
        <div className="my-1.5">
          <Button busy={busy} refused={refused} onClick={onAgain}>
            {isDamaged && next !== null ? `Deliver release ${formatCount(next)}` : labels.again}
            <span className="sr-only"> to {target}</span>
          </Button>
        </div>
      </Notice>
    )
  if (kind === 'verification' && state === 'done' && endedAt !== null)
    return (
      <p className="text-muted">
        Verified <Ago at={endedAt} />: {files ?? 'every file is as delivered'}.
      </p>
    )
  return kind === 'take_back' && state === 'done' && endedAt !== null ? (
    <p className="text-muted wrap-anywhere">
      Taken back by <bdi>{delivery.askedBy}</bdi>, <Ago at={endedAt} />.
    </p>
  ) : null
}
