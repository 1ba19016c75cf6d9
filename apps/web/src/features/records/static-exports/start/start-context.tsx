import type { StaticExport } from '@docket/api-types/static-exports'
import { useRouter } from '@tanstack/react-router'
import { createContext, use, useRef, useState, type ReactNode } from 'react'
import { buildExportLink, formatDomain } from '#features/records/static-exports/export-state.ts'
import { useStartNewExport } from '#features/records/static-exports/static-exports.queries.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { createUuid } from '#lib/uuid.ts'
import { toast, toastFailure } from '#ui/messages/toast.ts'
import { lazyDialog } from '#ui/overlays/lazy.tsx'

const ConflictDialog = lazyDialog(async () => (await import('./conflict-dialog.tsx')).ConflictDialog)

export type StartRequest = {
  /** Left out while only one connection can be used. */
  connectionId?: string | undefined
  domain: string
  version: string | null
  paths: string[] | null
  /** Export with an unknown outcome that this one replaces. */
  replaces?: string
  from?: string
  opens?: boolean
  /** Id of the intent, if the caller keeps it. */
  requestId?: string
  onStarted?: (row: StaticExport) => void
  onFailed?: (error: unknown) => void
}

export const toRestartRequest = ({ connectionId, domain, version, paths, exportId }: StaticExport): StartRequest => ({
  connectionId,
  domain,
  version,
  paths,
  from: exportId,
})

type StartControl = { start: (request: StartRequest) => void; busyWith: string | null }

const Context = createContext<StartControl | null>(null)

/** Starts exports from anywhere; `busyWith` is the row, or `form`, that waits for a response. */
export const useStartExport = (): StartControl => {
  const control = use(Context)
  if (!control) throw new Error('useStartExport needs a StartExports around it')
  return control
}

const toastStartOutcome = (row: StaticExport, notes: readonly string[]) => {
  const name = formatDomain(row)
  if (row.state === 'refused') toast(`The export of ${name} was not started. ${row.reason ?? ''}`, { tone: 'failed' })
  else if (row.state === 'unknown')
    toast(`The export of ${name} may or may not be running. ${row.reason ?? ''}`, { tone: 'attention' })
  else if (notes.length > 0) toast(`Exporting ${name}. ${notes.join(' ')}`, { tone: 'done' })
}

export const StartExports = ({ children }: { children: ReactNode }) => {
  const router = useRouter()
  const { mutateAsync } = useStartNewExport()
  const [busyWith, setBusyWith] = useState<string | null>(null)
  const [conflict, setConflict] = useState<{ request: StartRequest; exportId: string } | null>(null)
  // Pressing again after a lost response repeats the intent instead of adding a second one.
  const intents = useRef(new Map<string, string>())

  const send = async (request: StartRequest, confirmed: boolean) => {
    const { connectionId, domain, version, paths, replaces, from, onStarted, onFailed } = request
    const intent = JSON.stringify([connectionId, domain, version, paths, replaces, from])
    const requestId = request.requestId ?? intents.current.get(intent) ?? createUuid()
    intents.current.set(intent, requestId)
    setBusyWith(from ?? 'form')
    try {
      const started = await mutateAsync({
        requestId,
        domain,
        confirmed,
        ...(connectionId && { connectionId }),
        ...(version && { version }),
        ...(paths && { paths }),
        ...(replaces && { replaces }),
      })
      intents.current.delete(intent)
      toastStartOutcome(started.export, started.domainNotes)
      onStarted?.(started.export)
      // The page of one export would not show the new one.
      const isHidden =
        from !== undefined && router.state.matches.some(({ routeId }) => routeId === '/inside/exports/$exportId')
      if (isHidden || request.opens) void router.navigate(buildExportLink(started.export.exportId))
    } catch (error) {
      if (error instanceof ApiError && error.code === 'conflict' && error.exportId)
        setConflict({ request: { ...request, requestId }, exportId: error.exportId })
      else if (onFailed) onFailed(error)
      else toastFailure(`Could not start the export of ${domain}.`)(error)
    } finally {
      setBusyWith(null)
    }
  }

  const start = (request: StartRequest) => {
    // The reader has already confirmed a replacement.
    if (busyWith === null) void send(request, request.replaces !== undefined)
  }

  return (
    <Context value={{ start, busyWith }}>
      {children}
      {conflict && (
        <ConflictDialog
          domain={conflict.request.domain}
          exportId={conflict.exportId}
          onClose={() => setConflict(null)}
          onConfirm={() => {
            setConflict(null)
            void send(conflict.request, true)
          }}
        />
      )}
    </Context>
  )
}
