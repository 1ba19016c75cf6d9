import { PackageOpen } from 'lucide-react'
import { NoService } from '#features/connection/no-service.tsx'
import { useNoService } from '#ui/connections/use-connections.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { OneClickExport } from './one-click-export.tsx'

/** In place of an empty list of exports; `domain` is a site to start with. */
export const NoExports = ({ domain }: { domain: string | undefined }) =>
  useNoService() ? (
    <NoService />
  ) : (
    <EmptyState
      icon={<PackageOpen strokeWidth={1.5} />}
      title="No exports yet"
      action={domain && <OneClickExport domain={domain} />}
    >
      An export turns a documentation site into one archive of plain files. Start one above; it stays on this list, also
      when you close the page.
    </EmptyState>
  )
