import type { StorageReport } from '@docket/api-types/storage'
import { useState } from 'react'
import { formatBytes, formatCount, formatPlural } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { CopyText } from '#ui/copying/copy-text.tsx'
import { Panel } from '#ui/layout/page.tsx'
import { Instant } from '#ui/live/ticking.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { DeleteDialog } from '#ui/overlays/dialog.tsx'
import { useDecideRecovery } from './storage.queries.ts'

type Recovery = NonNullable<StorageReport['recovery']>

const sentences: Record<Recovery['store'], string> = {
  known: 'No export and no channel uses these bundles, as far as this database knows.',
  unknown:
    'The store had these bundles before this database knew it, as after a recovery. Docket removes nothing until you decide: adopt them, or leave them to another Docket.',
  adopting: 'Docket checks and adopts them.',
  left: 'Docket leaves them as they are.',
}

const OrphanList = ({ orphans, bundles }: Recovery) => (
  <details className="mt-3 text-sm">
    <summary className="flex min-h-6 w-fit cursor-pointer items-center text-muted hover:text-text">
      {orphans.length < bundles ? `The largest ${formatCount(orphans.length)}` : 'Each of them'}
    </summary>
    <ul className="mt-1.5">
      {orphans.map(({ sha256, bytes, removedAfter }) => (
        <li key={sha256} className="flex flex-wrap items-center gap-x-4 border-t border-line py-1.5">
          <CopyText text={sha256} className="max-w-48" />
          <span className="font-medium">{formatBytes(bytes)}</span>
          <span className="text-muted">
            {removedAfter === null ? (
              'Kept'
            ) : (
              <>
                Goes <Instant at={removedAfter} />
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  </details>
)

export const RecoveryPanel = ({ recovery }: { recovery: Recovery }) => {
  const decision = useDecideRecovery()
  const [asks, setAsks] = useState(false)
  const { store, bundles, bytes, missing } = recovery
  const amount = `${formatPlural(bundles, 'orphan')}, ${formatBytes(bytes)}`
  const decide = (choice: 'adopt' | 'leave') => () => decision.mutate({ decision: choice })
  return (
    <>
      {missing > 0 && (
        <Notice tone="failed" title={`The store lacks ${formatPlural(missing, 'bundle')} that exports or channels use`}>
          Connect the store that has them, and Docket takes them back. Or save their exports again.
        </Notice>
      )}
      {bundles > 0 && (
        <Panel title={store === 'unknown' ? 'Docket doesn’t know this store' : 'Orphans'}>
          <p className="text-sm">
            <span className="font-medium">{amount}.</span> <span className="text-muted">{sentences[store]}</span>
          </p>
          <OrphanList {...recovery} />
          <div className="mt-4 flex flex-wrap gap-2 empty:hidden">
            {store !== 'adopting' && (
              <Button
                variant={store === 'unknown' ? 'primary' : 'secondary'}
                busy={decision.isPending}
                onClick={decide('adopt')}
              >
                Adopt
              </Button>
            )}
            {store === 'unknown' && (
              <Button busy={decision.isPending} onClick={decide('leave')}>
                Leave
              </Button>
            )}
            {store === 'known' && (
              <Button variant="danger" onClick={() => setAsks(true)}>
                Remove {amount}
              </Button>
            )}
          </div>
        </Panel>
      )}
      {asks && (
        <DeleteDialog
          title={`Remove ${formatPlural(bundles, 'orphan')}?`}
          action={`Remove ${amount}`}
          failure="Nothing was removed"
          deletion={decision}
          onDelete={() => decision.mutateAsync({ decision: 'remove', bundles, bytes })}
          onClose={() => setAsks(false)}
        >
          <p>{`This frees ${formatBytes(bytes)} within ten minutes. You can’t undo it.`}</p>
        </DeleteDialog>
      )}
    </>
  )
}
