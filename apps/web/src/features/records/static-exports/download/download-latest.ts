import { usePrepareDownload } from '#features/records/static-exports/static-exports.queries.ts'
import { get } from '#lib/api/api.ts'
import { explainOperate, explainReadOnly, findConnection } from '#lib/connections/connections.ts'
import { useConnections } from '#ui/connections/connections.tsx'
import { useRefusal } from '#ui/forms/use-refusal.ts'
import { toast, toastFailure } from '#ui/messages/toast.ts'
import { savePrepared } from './save-prepared.ts'

/** A domain, its name for people, and the connection to look on; `''` for all. */
type Latest = { domain: string; label: string; connection: string }

export const useDownloadLatest = (): ((latest: Latest) => Promise<void>) => {
  const { mutateAsync: prepare } = usePrepareDownload()
  const connections = useConnections()
  const general = useRefusal('operator')
  return async ({ domain, label, connection }) => {
    try {
      const query = { domain, group: 'completed' as const, connection: connection || undefined, limit: 1 }
      const row = (await get('/api/static-exports', { query })).items[0]
      if (!row) return toast(`There is no completed export of ${label}.`, { tone: 'failed' })
      const on = findConnection(connections ?? [], row.connectionId)
      const isLive = row.artifact?.isLive === true
      const refused = isLive ? null : (explainReadOnly(on) ?? explainOperate(on, general))
      if (refused !== null) return toast(refused, { tone: 'failed' })
      toast(`Preparing the latest bundle of ${label}.`)
      savePrepared(row.exportId, label, isLive ? {} : await prepare(row.exportId))
    } catch (error) {
      toastFailure(`Could not download ${label}.`)(error)
    }
  }
}
