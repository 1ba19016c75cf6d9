import { getRouteApi, Link } from '@tanstack/react-router'
import { ExportDetails } from '#features/static-exports/export-details.tsx'

const route = getRouteApi('/exports/$exportId')

/** One export. */
export const ExportPage = () => {
  const { exportId } = route.useParams()
  return (
    <div className="max-w-3xl">
      <nav aria-label="Back" className="mb-2 text-sm">
        <Link to="/exports" className="inline-flex h-6 items-center text-muted hover:text-text">
          ← Exports
        </Link>
      </nav>
      <ExportDetails key={exportId} exportId={exportId} />
    </div>
  )
}
