import type { StoredBundle } from '@docket/api-types/storage'
import { formatBytes, formatPlural } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { ConnectionMark } from '#ui/connections/connection-mark.tsx'
import { useRecordRefusal } from '#ui/connections/use-connections.ts'
import { CopyText } from '#ui/copying/copy-text.tsx'
import { Link } from '#ui/links/link.tsx'
import { Ago, Instant } from '#ui/live/ticking.tsx'
import { isAdopted, isKept, listDomains } from './storage-labels.ts'

const End = ({ bundle }: { bundle: StoredBundle }) => {
  if (isKept(bundle)) return 'Kept'
  if (isAdopted(bundle)) return 'Adopted'
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

export const BundleRow = ({ bundle, onDelete }: { bundle: StoredBundle; onDelete: () => void }) => {
  const [latest] = bundle.exports
  const name = listDomains(bundle).join(', ') || 'No export'
  const refusal = useRecordRefusal(latest ?? {})
  const unused = isAdopted(bundle)
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
            stored <Ago at={bundle.storedAt} />
          </span>
          {bundle.exports.length > 1 && <span>{formatPlural(bundle.exports.length, 'export')} with these bytes</span>}
          <CopyText text={bundle.sha256} className="max-w-24" />
        </div>
      </div>
      <span className="font-medium md:text-right">{formatBytes(bundle.storedBytes)}</span>
      <span className="min-w-0 text-xs text-muted max-md:col-start-1">
        <End bundle={bundle} />
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
