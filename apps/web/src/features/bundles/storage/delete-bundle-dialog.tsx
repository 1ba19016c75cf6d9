import type { StoredBundle } from '@docket/api-types/storage'
import { formatBytes, formatInstant, formatPlural } from '#lib/text/format.ts'
import { Link } from '#ui/links/link.tsx'
import { DeleteDialog } from '#ui/overlays/dialog.tsx'
import { listDomains } from './storage-labels.ts'
import { useDeleteBundle } from './storage.queries.ts'

export const DeleteBundleDialog = ({ bundle, onClose }: { bundle: StoredBundle; onClose: () => void }) => {
  const remove = useDeleteBundle()
  return (
    <DeleteDialog
      title="Delete this bundle?"
      action="Delete the bundle"
      failure="Not everything was deleted"
      deletion={remove}
      onDelete={() => remove.mutateAsync(bundle)}
      message={`Deleted the bundle of ${listDomains(bundle).join(', ')}.`}
      onClose={onClose}
    >
      <p>
        {`${formatPlural(bundle.exports.length, 'export points', 'exports point')} to it, and ${
          bundle.exports.length === 1 ? 'loses its' : 'lose their'
        } pages, findings, changes and previews:`}
      </p>
      <ul className="mt-2 max-h-48 list-disc overflow-auto pl-5">
        {bundle.exports.map(({ exportId, domain, startedAt, kept }) => (
          <li key={exportId}>
            <Link to="/exports/$exportId" params={{ exportId }} className="text-accent hover:underline">
              <bdi>{domain}</bdi>, {formatInstant(startedAt)}
            </Link>
            {kept && <span className="font-medium">, to be kept</span>}
          </li>
        ))}
      </ul>
      <p className="mt-2">{`This frees ${formatBytes(bundle.storedBytes)}. You can’t undo it.`}</p>
    </DeleteDialog>
  )
}
