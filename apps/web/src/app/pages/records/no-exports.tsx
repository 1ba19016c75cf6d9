import { PackageOpen } from 'lucide-react'
import { NoService } from '#features/service/connections/no-service.tsx'
import { useNoService } from '#ui/connections/use-connections.ts'
import { EmptyState } from '#ui/layout/empty-state.tsx'
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
      An export turns a documentation site into an archive of static files. Start one above; it keeps running when you
      close the page.
    </EmptyState>
  )
