import type { DryRun } from '@docket/api-types/targets'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { isUnchangedDelivery } from '#features/releases/targets/target-labels.ts'
import { dryRunQuery, type TargetKey } from '#features/releases/targets/targets.queries.ts'
import { isolateText, formatBytes, formatCount, formatPlural, revealHiddenCharacters } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { FormFailure } from '#ui/forms/form.tsx'
import { Skeleton } from '#ui/layout/page.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'

const words = { added: 'Added', changed: 'Changed', removed: 'Removed' } as const

const PathList = ({ word, paths: { count, shown } }: { word: string; paths: DryRun['added'] }) =>
  count === 0 ? (
    <p className="flex min-h-9 items-center pr-3 pl-9 text-muted">{word}: no file</p>
  ) : (
    <details className="group">
      <summary className="flex min-h-9 cursor-pointer items-center gap-2 px-3 hover:bg-hover">
        <ChevronRight className="size-4 text-muted group-open:rotate-90" aria-hidden="true" />
        {word}: {formatPlural(count, 'file')}
      </summary>
      <ul className="max-h-64 overflow-auto border-t border-line bg-sunken px-3 py-2 font-mono text-xs/5" tabIndex={0}>
        {shown.map((path) => (
          <li key={path} dir="ltr" className="wrap-anywhere">
            <bdi>{revealHiddenCharacters(path)}</bdi>
          </li>
        ))}
        {count > shown.length && <li className="font-sans text-muted">and {formatCount(count - shown.length)} more</li>}
      </ul>
    </details>
  )

const DryRunResult = ({ run }: { run: DryRun }) => (
  <div role="status" className="grid gap-3 text-sm">
    {isUnchangedDelivery(run) ? (
      <Notice tone="done" title="Nothing would change">
        The target has this release already.
      </Notice>
    ) : (
      <>
        <p>
          A delivery would send {formatBytes(run.bytes)}.
          {run.from === null && ' No delivery is there yet, or the last one did not end.'}
        </p>
        <div className="divide-y divide-line overflow-hidden rounded-md border border-line">
          {(['added', 'changed', 'removed'] as const).map((which) => (
            <PathList key={which} word={words[which]} paths={run[which]} />
          ))}
        </div>
      </>
    )}
  </div>
)

type DryRunDialogProps = {
  target: TargetKey
  name: string
  refused: string | null
  onDeliver: () => void
  onClose: () => void
}

export const DryRunDialog = ({ target, name, refused, onDeliver, onClose }: DryRunDialogProps) => {
  const { data: run, error, isFetching, refetch } = useQuery(dryRunQuery(target))
  return (
    <Dialog wide onClose={onClose} title={`Dry run for ${isolateText(name)}`}>
      {isFetching && (
        <div role="status" className="space-y-2 text-sm text-muted">
          <p>Comparing the release with what is there. Nothing is changed.</p>
          <Skeleton className="h-24 w-full" />
        </div>
      )}
      <FormFailure error={isFetching ? null : error} title="The dry run failed" />
      {!isFetching && error === null && run !== undefined && <DryRunResult run={run} />}
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button data-autofocus="" onClick={onClose}>
          Close
        </Button>
        {error !== null ? (
          <Button variant="primary" busy={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        ) : (
          run !== undefined &&
          !isUnchangedDelivery(run) && (
            <Button variant="primary" refused={refused} onClick={onDeliver}>
              Deliver now
            </Button>
          )
        )}
      </div>
    </Dialog>
  )
}
