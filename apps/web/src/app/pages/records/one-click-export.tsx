import { useStartExport } from '#features/records/static-exports/start/start-context.tsx'
import { Button } from '#ui/buttons/button.tsx'
import { useStartRefusal } from '#ui/connections/use-connections.ts'

export const OneClickExport = ({ domain }: { domain: string }) => {
  const { start, busyWith } = useStartExport()
  const refused = useStartRefusal()
  return (
    <Button
      size="md"
      busy={busyWith === 'one click'}
      refused={refused}
      // The server knows that the site is on this machine.
      onClick={() => start({ domain, version: null, paths: null, from: 'one click' })}
    >
      Export {domain}
    </Button>
  )
}
