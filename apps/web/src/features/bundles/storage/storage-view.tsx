import type { StorageReport, StoredBundle } from '@docket/api-types/storage'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { hasKey } from '#lib/has-key.ts'
import { formatBytes, formatCount, formatPlural } from '#lib/text/format.ts'
import { Button, buttonClass } from '#ui/buttons/button.tsx'
import { ConnectionMark, useRecordRefusal } from '#ui/connections/connections.tsx'
import { CopyText } from '#ui/copying/copy-text.tsx'
import { bindText, Options } from '#ui/forms/form.tsx'
import { Panel, ReadState, Skeleton } from '#ui/layout/page.tsx'
import { Link } from '#ui/links/link.tsx'
import { LoadMore } from '#ui/list/load-more.tsx'
import { TickingText, Ago, Instant } from '#ui/live/ticking.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { lazyDialog } from '#ui/overlays/lazy.tsx'
import { Fact, Facts } from '#ui/records/facts.tsx'
import { BackupsPanel } from './backups-panel.tsx'
import { RecoveryPanel } from './recovery-panel.tsx'
import {
  describeNextCleanUp,
  describeRetention,
  storeNames,
  isAdoptedBundle,
  isKeptBundle,
  listDomains,
} from './storage-labels.ts'
import { storageQuery, type StorageSort } from './storage.queries.ts'

const BundleEnd = ({ bundle }: { bundle: StoredBundle }) => {
  if (isKeptBundle(bundle)) return 'Kept'
  if (isAdoptedBundle(bundle)) return 'Adopted'
  const holders = bundle.heldBy ?? []
  if (holders.length > 0) return `Kept for ${holders.join(', ')}`
  return bundle.deletedAfter === null ? (
    'Among the newest of its site'
  ) : (
    <>
      Goes <Instant at={bundle.deletedAfter} />
    </>
  )
}

const BundleRow = ({ bundle, onDelete }: { bundle: StoredBundle; onDelete: () => void }) => {
  const [latest] = bundle.exports
  const name = listDomains(bundle).join(', ') || 'No export'
  const refusal = useRecordRefusal(latest ?? {})
  const unused = isAdoptedBundle(bundle)
    ? 'No export has this bundle. Remove it with the orphans.'
    : 'Only channels have this bundle. It goes after later releases.'
  const refused = latest ? refusal : unused
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 border-t border-line px-4 py-2.5 text-sm first:border-t-0 md:grid-cols-[minmax(0,1.4fr)_6rem_minmax(0,1fr)_auto]">
      <div className="min-w-0 max-md:col-span-2">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          {latest ? (
            <Link
              to="/exports/$exportId"
              params={{ exportId: latest.exportId }}
              className="inline-block min-w-0 truncate leading-6 font-semibold underline-offset-2 hover:underline"
            >
              <bdi>{name}</bdi>
            </Link>
          ) : (
            <span className="font-semibold">{name}</span>
          )}
          {latest && <ConnectionMark record={latest} />}
        </div>
        <div className="flex flex-wrap items-center gap-x-3 text-xs text-muted">
          <span>
            saved <Ago at={bundle.storedAt} />
          </span>
          {bundle.exports.length > 1 && <span>{formatPlural(bundle.exports.length, 'export')} with these bytes</span>}
          <CopyText text={bundle.sha256} className="max-w-24" />
        </div>
      </div>
      <span className="font-medium md:text-right">{formatBytes(bundle.storedBytes)}</span>
      <span className="min-w-0 text-xs text-muted max-md:col-start-1">
        <BundleEnd bundle={bundle} />
      </span>
      <Button
        refused={refused}
        className="max-md:col-start-2 max-md:row-span-2 max-md:row-start-2"
        onClick={onDelete}
        aria-label={`Delete the bundle of ${name}`}
      >
        Delete…
      </Button>
    </li>
  )
}

const DeleteBundleDialog = lazyDialog(async () => (await import('./delete-bundle-dialog.tsx')).DeleteBundleDialog)

const sortNames: Record<StorageSort, string> = {
  newest: 'Newest first',
  largest: 'Largest first',
  next_to_go: 'Next to go first',
}

const useBundleOrder = (): [StorageSort, (sort: string) => void] => {
  const navigate = useNavigate()
  const sort = useLocation({ select: ({ search }) => (search as { sort?: unknown }).sort })
  const change = (next: string) =>
    void navigate({ to: '/settings/storage', search: { sort: next === 'newest' ? undefined : next } as never })
  return [typeof sort === 'string' && hasKey(sortNames, sort) ? sort : 'newest', change]
}

const StorageHealth = ({ report }: { report: StorageReport }) => {
  if (report.isWell && report.store !== 'none') return null
  return (
    <Notice
      tone={report.isWell ? 'idle' : 'failed'}
      title={report.store === 'none' ? 'Docket saves no bundles' : 'The store doesn’t work'}
    >
      {report.sentence}
    </Notice>
  )
}

const StorageNumbers = ({ report }: { report: StorageReport }) => (
  <Panel title="Bundles saved in Docket">
    <Facts>
      <Fact name="Store">{storeNames[report.store]}</Fact>
      <Fact name="Bundles">{formatCount(report.bundles)}</Fact>
      <Fact name="Size">{formatBytes(report.storedBytes)}</Fact>
      <Fact name="Free">{report.freeBytes !== null && formatBytes(report.freeBytes)}</Fact>
      <Fact name="Retention">{describeRetention(report.retention)}</Fact>
      <Fact name="Next clean-up">
        <TickingText text={(now) => describeNextCleanUp(report.next, now)} />
      </Fact>
    </Facts>
  </Panel>
)

export const StorageView = () => {
  const [sort, setSort] = useBundleOrder()
  const query = useInfiniteQuery(storageQuery(sort))
  const { data, isPlaceholderData } = query
  const [deleting, setDeleting] = useState<StoredBundle | null>(null)
  const report = data?.pages[0]
  const items = data?.pages.flatMap((page) => page.items) ?? []
  return (
    <div className="space-y-4">
      <ReadState query={query} waiting={<Skeleton className="h-48 w-full" />} />
      {report && (
        <>
          <StorageHealth report={report} />
          {report.recovery && <RecoveryPanel recovery={report.recovery} />}
          <StorageNumbers report={report} />
          <BackupsPanel />
          <section aria-label="Bundles" className="pt-3">
            <div className="mb-2 flex items-center justify-between gap-4">
              <h2 className="text-base font-semibold">
                Bundles <span className="ml-1 font-normal text-muted">{formatCount(report.bundles)}</span>
              </h2>
              <select
                aria-label="Order"
                {...bindText(sort, setSort)}
                className={`${buttonClass()} appearance-auto pr-1 font-normal`}
              >
                <Options of={Object.entries(sortNames)} />
              </select>
            </div>
            {items.length === 0 ? (
              <p className="panel px-4 py-8 text-center text-sm text-muted">
                Nothing is saved.
                {report.store !== 'none' && ' Docket saves the bundle of an export when it completes.'}
              </p>
            ) : (
              <ul
                className={`panel ${isPlaceholderData ? 'opacity-60' : ''}`}
                aria-busy={isPlaceholderData || undefined}
              >
                {items.map((bundle) => (
                  <BundleRow key={bundle.sha256} bundle={bundle} onDelete={() => setDeleting(bundle)} />
                ))}
              </ul>
            )}
            <LoadMore query={query} />
          </section>
        </>
      )}
      {deleting && <DeleteBundleDialog bundle={deleting} onClose={() => setDeleting(null)} />}
    </div>
  )
}
