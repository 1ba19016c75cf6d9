import { ChevronRight, Import, Upload } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { ApiError, findErrorAt, findErrorBeside } from '#lib/api/api-error.ts'
import { splitLines } from '#lib/text/lines.ts'
import { connectivity, isNoAnswer } from '#lib/api/connectivity.ts'
import { asIntent } from '#lib/state/intent-draft.ts'
import { Button } from '#ui/buttons/button.tsx'
import { bindDraft } from '#ui/forms/bind-draft.ts'
import { TextArea, TextField } from '#ui/forms/field.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { useConnectivityFailure } from '#ui/live/connectivity-context.ts'
import { maxSuggestions, Suggestions } from '#ui/forms/suggestions.tsx'
import { ConnectionField, ConnectionNote, useConnectionChoice } from '#ui/connections/connection-field.tsx'
import { useStartRefusal } from '#ui/connections/use-connections.ts'
import { lazyDialog } from '#ui/overlays/lazy.tsx'
import { useHomeConnection } from '#features/records/static-exports/static-exports.queries.ts'
import { useStartExport } from './start-context.tsx'
import { useDraft } from '#ui/forms/use-draft.ts'
import { Form } from '#ui/forms/form.tsx'

// `chosenFor`: the domain when the connection was chosen.
const empty = { connectionId: '', chosenFor: '', domain: '', version: '', paths: '' }

/** Paths of a draft, one per line; null for none, which means every page. */
export const parsePaths = (text: string): string[] | null => {
  const paths = splitLines(text)
  return paths.length > 0 ? paths : null
}

const ImportDialog = lazyDialog(async () => (await import('./import-dialog.tsx')).ImportDialog)
const UploadDialog = lazyDialog(
  async () => (await import('#features/records/static-exports/upload/upload-dialog.tsx')).UploadDialog,
)

const findErrorAtLine = (error: unknown): string | null => {
  const message = findErrorAt(error, 'paths')
  const line = error instanceof ApiError ? error.field?.split('.')[1] : undefined
  return message === null || line === undefined ? message : `Line ${Number(line) + 1}: ${message}`
}

/** Starts an export; the draft survives a reload. Reserves space for `suggestions` while they are undefined. */
export const StartExportForm = ({ suggestions }: { suggestions: readonly string[] | undefined }) => {
  const { draft, change, clear } = useDraft('start', empty)
  const { start, busyWith } = useStartExport()
  const refused = useStartRefusal()
  const isChosen = draft.chosenFor === '' || draft.chosenFor === draft.domain
  const choice = useConnectionChoice(
    isChosen ? draft.connectionId : '',
    false,
    useHomeConnection(draft.domain, suggestions),
  )
  const [error, setError] = useState<unknown>(null)
  // A reload must not hide a draft.
  const [expanded, setExpanded] = useState(draft.version !== '' || draft.paths !== '')
  const moreId = useId()
  const [adding, setAdding] = useState<'import' | 'upload' | null>(null)
  const submitRef = useRef<HTMLButtonElement>(null)
  const domainRef = useRef<HTMLInputElement>(null)
  const unreached = useConnectivityFailure()
  // The banner already explained the failure and its end.
  if (unreached === null && isNoAnswer(error) && connectivity.get() === null) setError(null)
  const failure = findErrorBeside(error, ['connectionId', 'domain', 'version', 'paths'])

  const unchosen = findErrorAt(error, 'connectionId')
  const submit = () => {
    if (busyWith !== null || refused !== null) return
    if (draft.domain.trim() === '') {
      setError(new ApiError('invalid_request', 'Enter a domain, such as docs.example.com.', { field: 'domain' }))
      domainRef.current?.focus()
      return
    }
    if (choice.missing) {
      setError(new ApiError('invalid_request', 'Choose a connection.', { field: 'connectionId' }))
      return
    }
    const intent = asIntent({ ...draft, connectionId: choice.value })
    // The next domain may belong to another connection.
    change({ ...intent, connectionId: draft.connectionId })
    setError(null)
    start({
      ...choice.body,
      domain: draft.domain,
      version: draft.version.trim() || null,
      paths: parsePaths(draft.paths),
      requestId: intent.requestId,
      onStarted: () => clear(),
      onFailed: setError,
    })
  }
  const type = (next: Parameters<typeof change>[0]) => {
    change(next)
    setError(null)
  }
  const { text } = bindDraft(draft, type, (name) => findErrorAt(error, name))
  const pick = (domain: string) => {
    type({ domain, connectionId: '' })
    submitRef.current?.focus()
  }

  return (
    <section aria-label="Start an export" className="panel p-4">
      <Form onSubmit={submit}>
        <div className="grid gap-3 sm:grid-flow-col sm:grid-cols-[minmax(0,1fr)]">
          <TextField
            ref={domainRef}
            label="Domain"
            name="domain"
            inputMode="url"
            autoCapitalize="none"
            placeholder={suggestions?.[0] ?? 'docs.example.com'}
            data-hotkey="new"
            {...text('domain')}
            options={suggestions && suggestions.length > maxSuggestions && suggestions}
            hint={
              suggestions?.length !== 0 && (
                <Suggestions label="Sites on this machine:" values={suggestions ?? []} onPick={pick} />
              )
            }
          />
          <div className="empty:hidden sm:w-64">
            <ConnectionField
              choice={choice}
              onChange={(connectionId) => type({ connectionId, chosenFor: draft.domain })}
              error={unchosen}
            />
          </div>
          <Button
            ref={submitRef}
            type="submit"
            variant="primary"
            size="md"
            busy={busyWith === 'form'}
            refused={refused}
            className="sm:mt-6"
          >
            Start export
          </Button>
        </div>
        {unchosen === null && (
          <div className="mt-2 empty:hidden">
            <ConnectionNote choice={choice} verb="Starts on" />
          </div>
        )}
        <div className="mt-2 -mb-1.5 -ml-2 flex flex-wrap items-center justify-between gap-x-4">
          <Button
            variant="quiet"
            aria-expanded={expanded}
            aria-controls={moreId}
            className="px-2"
            onClick={() => setExpanded(!expanded)}
          >
            <ChevronRight className={`size-4 transition-transform ${expanded ? 'rotate-90' : ''}`} aria-hidden="true" />
            Version and paths
          </Button>
          <span className="flex flex-wrap">
            <Button variant="quiet" className="px-2" refused={refused} onClick={() => setAdding('import')}>
              <Import className="size-4" aria-hidden="true" />
              Track an export started elsewhere
            </Button>
            <Button variant="quiet" className="px-2 sm:-mr-2" refused={refused} onClick={() => setAdding('upload')}>
              <Upload className="size-4" aria-hidden="true" />
              Upload a bundle
            </Button>
          </span>
        </div>
        <div id={moreId} hidden={!expanded} className="mt-3 grid gap-3 sm:grid-cols-2">
          <TextField
            label="Version"
            optional
            name="version"
            {...text('version')}
            hint="A version label, if your service has versions."
          />
          <TextArea
            label="Paths"
            optional
            name="paths"
            rows={3}
            {...text('paths')}
            error={findErrorAtLine(error)}
            hint="One per line. Leave empty for all pages."
          />
        </div>
        {failure !== null && (
          <div className="mt-3">
            <Notice
              tone="failed"
              role="alert"
              title={isNoAnswer(error) ? 'No response to the start' : 'The export was not started'}
            >
              {!isNoAnswer(error) && failure} It’s safe to try again: Docket never starts a second one.
            </Notice>
          </div>
        )}
      </Form>
      {adding === 'import' && <ImportDialog onClose={() => setAdding(null)} />}
      {adding === 'upload' && <UploadDialog onClose={() => setAdding(null)} />}
    </section>
  )
}
