import type { HostKey } from '@docket/api-types/targets'
import { useEffect, useId, useRef } from 'react'
import { useReadHostKey } from '#features/releases/targets/targets.queries.ts'
import { revealHiddenCharacters } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { FieldError, FormFailure } from '#ui/forms/form.tsx'
import { StateLabel } from '#ui/marks/state-mark.tsx'
import { findConfirmedKey, printServer, type ConfirmedKey } from './target-draft.ts'

type HostKeyFieldProps = {
  /** The server as typed; null while incomplete. */
  server: { host: string; port: number } | null
  value: ConfirmedKey | null
  onChange: (key: ConfirmedKey | null) => void
  error: string | null
}

type Question = HostKey & { address: string }

type ConfirmationProps = { found: Question; onConfirm: () => void; onRefuse: () => void }

const Confirmation = ({ found, onConfirm, onRefuse }: ConfirmationProps) => (
  <div className="rounded-md border border-line bg-sunken p-3 text-sm">
    <p role="status">
      The key of <bdi className="font-medium wrap-anywhere">{revealHiddenCharacters(found.address)}</bdi> has the
      fingerprint <code className="font-mono text-xs wrap-anywhere select-all">{found.fingerprint}</code>
    </p>
    <p className="mt-1 text-xs text-muted">
      Compare it with what the server’s operator tells you, or with the output of ssh-keygen -l on the server. Docket
      then refuses any other key.
    </p>
    <div className="mt-3 flex flex-wrap gap-2">
      <Button onClick={onConfirm}>It’s the server’s key</Button>
      <Button variant="quiet" onClick={onRefuse}>
        Cancel
      </Button>
    </div>
  </div>
)

const shortenHostKey = (hostKey: string) => {
  const [type = '', content = ''] = hostKey.split(' ')
  return `${type} …${content.slice(-12)}`
}

/** The key of an SSH server, read from it and confirmed by a person. It is valid only for the address from which it was read. */
export const HostKeyField = ({ server, value, onChange, error }: HostKeyFieldProps) => {
  const id = useId()
  const reading = useReadHostKey()
  const address = server === null ? '' : printServer(server)
  const confirmed = findConfirmedKey(value, address)
  // A result for another server does not apply to this one.
  const isOfThis = reading.variables !== undefined && printServer(reading.variables) === address
  const question = isOfThis && reading.data ? { ...reading.data, address } : null
  const failure = isOfThis ? reading.error : null
  const field = useRef<HTMLFieldSetElement>(null)
  const asked = useRef(false)
  const asks = question !== null
  useEffect(() => {
    // The button that had the focus may no longer exist.
    if (asks !== asked.current && document.activeElement === document.body)
      field.current?.querySelector('button')?.focus()
    asked.current = asks
  }, [asks])
  const read = () => {
    if (server !== null) reading.mutate(server)
  }
  const confirm = () => {
    if (question === null) return
    onChange({ hostKey: question.hostKey, address })
    reading.reset()
  }
  return (
    <fieldset ref={field} className="grid gap-2" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-1 text-sm font-medium">Host key</legend>
      {confirmed !== null && question === null && (
        <p className="flex flex-wrap items-center gap-x-3 text-sm">
          <StateLabel tone="done">Confirmed</StateLabel>
          <code className="font-mono text-xs wrap-anywhere" title={confirmed.hostKey}>
            {shortenHostKey(confirmed.hostKey)}
          </code>
        </p>
      )}
      {question === null ? (
        <Button
          className="justify-self-start"
          busy={reading.isPending}
          refused={server === null ? 'Enter the server first.' : null}
          data-invalid={error ? '' : undefined}
          onClick={read}
        >
          {confirmed === null ? 'Read host key' : 'Read again'}
        </Button>
      ) : (
        <Confirmation found={question} onConfirm={confirm} onRefuse={reading.reset} />
      )}
      <FormFailure error={failure} />
      {confirmed === null && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  )
}
