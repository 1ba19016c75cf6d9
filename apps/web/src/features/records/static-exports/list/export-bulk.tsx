import type { StaticExport } from '@docket/api-types/static-exports'
import { RotateCw, Trash2 } from 'lucide-react'
import { formatDomain, isRunningExport } from '#features/records/static-exports/export-state.ts'
import {
  useRemoveExport,
  useRestoreExport,
  useStartNewExport,
} from '#features/records/static-exports/static-exports.queries.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { explainReadOnly, findConnection } from '#lib/connections/connections.ts'
import { createUuid } from '#lib/uuid.ts'
import { Button } from '#ui/buttons/button.tsx'
import { useConnections } from '#ui/connections/connections.tsx'
import { SelectionBar } from '#ui/selection/selection-bar.tsx'
import type { Selection } from '#ui/selection/selection.ts'
import { useBulk } from '#ui/selection/use-bulk.ts'

// An attempt without a response is repeated under the same id, so that it starts nothing twice.
const intents = new Map<string, string>()

const canTryExportAgain = ({ state, goneAt }: StaticExport) =>
  state === 'failed' || state === 'refused' || (state === 'accepted' && goneAt !== null)

const texts = { one: 'export', formatName: formatDomain }

export const ExportBulk = ({ selection }: { selection: Selection }) => {
  const bulk = useBulk<StaticExport>(selection, texts)
  const connections = useConnections() ?? []
  const start = useStartNewExport()
  const remove = useRemoveExport()
  const restore = useRestoreExport()
  const { items, running, run } = bulk
  const retriable = items.filter(({ row }) => canTryExportAgain(row))

  const tryAgain = async ({ connectionId, domain, version, paths, exportId }: StaticExport) => {
    const readOnly = explainReadOnly(findConnection(connections, connectionId))
    if (readOnly !== null) return readOnly
    const requestId = intents.get(exportId) ?? createUuid()
    intents.set(exportId, requestId)
    const intent = {
      requestId,
      domain,
      ...(connectionId && { connectionId }),
      ...(version && { version }),
      ...(paths && { paths }),
    }
    const started = await start.mutateAsync(intent).catch((error: unknown) => {
      // The reader has not confirmed a second export of the domain.
      if (error instanceof ApiError && error.code === 'conflict') return null
      throw error
    })
    if (started === null) return 'Another export of this domain is open. Try this one again in its row.'
    intents.delete(exportId)
    const { state, reason } = started.export
    if (state === 'refused') return `Not started. ${reason ?? ''}`
    return state === 'unknown' ? `May or may not be running. ${reason ?? ''}` : null
  }

  return (
    <SelectionBar selection={selection} bulk={bulk} one={texts.one}>
      <Button
        icon={RotateCw}
        busy={running?.done === 'Started'}
        refused={
          retriable.length === 0 ? 'Only exports that failed, were refused or weren’t found can be tried again.' : null
        }
        onClick={() => run(retriable, { done: 'Started', act: tryAgain })}
      >
        Try again{retriable.length > 0 && ` (${retriable.length})`}
      </Button>
      <Button
        icon={Trash2}
        variant="danger"
        busy={running?.done === 'Removed'}
        onClick={() =>
          run(items, {
            done: 'Removed',
            note: (rows) => (rows.some(isRunningExport) ? ' Running exports continue on the service.' : ''),
            act: async ({ exportId }) => remove.mutateAsync(exportId).then(() => null),
            undo: ({ exportId }) => restore.mutateAsync(exportId),
          })
        }
      >
        Remove ({items.length})
      </Button>
    </SelectionBar>
  )
}
