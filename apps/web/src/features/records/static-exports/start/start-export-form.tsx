import type { StaticExport } from '@docket/api-types/static-exports'
import { ChevronRight } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { useHomeConnection } from '#features/records/static-exports/static-exports.queries.ts'
import { ApiError, createFieldError, findErrorAt, findErrorBeside } from '#lib/api/api-error.ts'
import { connectivity, isNoAnswer } from '#lib/api/connectivity.ts'
import { asIntent } from '#lib/state/intent-draft.ts'
import { splitLines } from '#lib/text/lines.ts'
import { Button } from '#ui/buttons/button.tsx'
import { ConnectionField, ConnectionNote, useConnectionChoice } from '#ui/connections/connection-field.tsx'
import { useStartRefusal } from '#ui/connections/connections.tsx'
import { bindDraft, TextArea, TextField, Form } from '#ui/forms/form.tsx'
import { useDraft } from '#ui/forms/use-draft.ts'
import { useConnectivityFailure } from '#ui/live/connectivity-context.ts'
import { Notice } from '#ui/messages/notice.tsx'
import { useStartExport } from './start-context.tsx'

// `chosenFor`: the domain when the connection was chosen.
const empty = { connectionId: '', chosenFor: '', domain: '', version: '', paths: '' }

/** Paths of a draft, one per line; null for none, which means every page. */
export const parsePaths = (text: string): string[] | null => {
  const paths = splitLines(text)
  return paths.length > 0 ? paths : null
}

const findErrorAtLine = (error: unknown): string | null => {
  const message = findErrorAt(error, 'paths')
  const line = error instanceof ApiError ? error.field?.split('.')[1] : undefined
  return message === null || line === undefined ? message : `Line ${Number(line) + 1}: ${message}`
}

type StartExportFormProps = {
  /** Sites on this machine. */
  suggestions: readonly string[]
  /** Offered while the reader types. */
  domains?: readonly string[]
  /** Filled in, unless there is a draft. */
  domain?: string | undefined
  onStarted?: (row: StaticExport) => void
}

/** Starts an export; the draft survives a reload. */
export const StartExportForm = ({
  suggestions,
  domains = suggestions,
  domain = '',
  onStarted,
}: StartExportFormProps) => {
  const { draft: stored, change, clear } = useDraft('start', empty)
  const [isTyped, setTyped] = useState(stored.domain !== '')
  const draft = isTyped ? stored : { ...stored, domain }
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
  const domainRef = useRef<HTMLInputElement>(null)
  const unreached = useConnectivityFailure()
  // The banner already explained the failure and its end.
  if (unreached === null && isNoAnswer(error) && connectivity.get() === null) setError(null)
  const failure = findErrorBeside(error, ['connectionId', 'domain', 'version', 'paths'])

  const unchosen = findErrorAt(error, 'connectionId')
  const submit = () => {
    if (busyWith !== null || refused !== null) return
    if (draft.domain.trim() === '') {
      setError(createFieldError('domain', 'Enter a domain, such as docs.example.com.'))
      domainRef.current?.focus()
      return
    }
    if (choice.missing) {
      setError(createFieldError('connectionId', 'Choose a connection.'))
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
      onStarted: (row) => {
        clear()
        onStarted?.(row)
      },
      onFailed: setError,
    })
  }
  const type = (next: Parameters<typeof change>[0]) => {
    setTyped(true)
    change({ domain: draft.domain, ...next })
    setError(null)
  }
  const { text } = bindDraft(draft, type, (name) => findErrorAt(error, name))
  return (
    <Form aria-label="Start an export" onSubmit={submit}>
      <div className="grid gap-3">
        <ConnectionField
          choice={choice}
          onChange={(connectionId) => type({ connectionId, chosenFor: draft.domain })}
          error={unchosen}
        />
        <TextField
          ref={domainRef}
          label="Domain"
          name="domain"
          inputMode="url"
          autoCapitalize="none"
          placeholder={suggestions[0] ?? 'docs.example.com'}
          data-hotkey="new"
          data-autofocus=""
          onFocus={(event) => event.currentTarget.select()}
          {...text('domain')}
          options={domains}
        />
        {unchosen === null && <ConnectionNote choice={choice} verb="Starts on" />}
      </div>
      <Button
        variant="quiet"
        aria-expanded={expanded}
        aria-controls={moreId}
        className="mt-2 -ml-2 px-2"
        onClick={() => setExpanded(!expanded)}
      >
        <ChevronRight className={`size-4 transition-transform ${expanded ? 'rotate-90' : ''}`} aria-hidden="true" />
        Advanced
      </Button>
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
      <div className="mt-3 flex justify-end">
        <Button type="submit" variant="primary" size="md" busy={busyWith === 'form'} refused={refused}>
          Start export
        </Button>
      </div>
    </Form>
  )
}
