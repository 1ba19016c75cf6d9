import { useStartExport } from '#features/static-exports/start/start-context.tsx'
import { Button } from '#ui/button.tsx'
import { useRefusal } from '#ui/forms/use-refusal.ts'

/** Starts the export of a known site, for people without exports. */
export const OneClickExport = ({ domain }: { domain: string }) => {
  const { start, busyWith } = useStartExport()
  const refused = useRefusal('operator')
  return (
    <Button
      variant="primary"
      size="md"
      busy={busyWith === 'one click'}
      refused={refused}
      onClick={() => start({ domain, version: null, paths: null, from: 'one click' })}
    >
      Export {domain}
    </Button>
  )
}
