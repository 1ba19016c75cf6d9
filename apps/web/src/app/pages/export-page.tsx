import { ExportDetails } from '#features/static-exports/export-details.tsx'
import { Link } from '#ui/link.tsx'

/** One export. */
export const ExportPage = ({ exportId }: { exportId: string }) => {
  return (
    <div className="max-w-3xl">
      <nav aria-label="Back" className="mb-2 text-sm">
        <Link href="/exports" className="inline-flex h-6 items-center text-muted hover:text-text">
          ← Exports
        </Link>
      </nav>
      <ExportDetails key={exportId} exportId={exportId} />
    </div>
  )
}
