import { useStartExport } from '#features/static-exports/start/start-context.tsx'
import { Button } from '#ui/button.tsx'
import { offerConnections } from '#lib/connections.ts'
import { useConnections, useStartRefusal } from '#ui/connections/use-connections.ts'

/** Starts the export of a known site, for people without exports. */
export const OneClickExport = ({ domain }: { domain: string }) => {
  const { start, busyWith } = useStartExport()
  const refused = useStartRefusal()
  // The site is on this machine.
  const embedded = offerConnections(useConnections() ?? []).find(({ kind }) => kind === 'embedded')
  return (
    <Button
      size="md"
      busy={busyWith === 'one click'}
      refused={refused}
      onClick={() =>
        start({ connectionId: embedded?.connectionId, domain, version: null, paths: null, from: 'one click' })
      }
    >
      Export {domain}
    </Button>
  )
}
