import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { exportQuery } from '#features/records/static-exports/static-exports.queries.ts'
import { usePaused } from '#ui/live/ticking.tsx'

/** The export of the address. Undefined until it is loaded; `ExportPage` shows why. */
export const useExport = () => {
  const { exportId } = useParams({ from: '/inside/exports/$exportId' })
  return useQuery(exportQuery(exportId, usePaused())).data
}
