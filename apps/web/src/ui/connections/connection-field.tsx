import { findConnection, offerConnections, preselectConnection } from '#lib/connections.ts'
import { SelectField } from '#ui/forms/field.tsx'
import { ConnectionName } from './connection-mark.tsx'
import { useChosenConnection, useConnections } from './use-connections.ts'

/** Connections of a form: those on offer, the chosen one or null, and whether the reader still has to choose. */
export const useConnectionChoice = (typed: string, creates = false) => {
  const offered = offerConnections(useConnections() ?? [], creates)
  const page = useChosenConnection()
  const value = findConnection(offered, typed) ? typed : preselectConnection(offered, page)
  return {
    offered,
    value,
    connection: findConnection(offered, value),
    /** For the body of a request. */
    body: value === '' ? {} : { connectionId: value },
    /** True when the chosen one is known to be of another kind. */
    isOther: (kind: (typeof offered)[number]['kind']) => (findConnection(offered, value)?.kind ?? kind) !== kind,
    asks: offered.length > 1 || (offered.length === 1 && value !== offered[0]?.connectionId),
    missing: offered.length > 0 && value === '',
  }
}

type ConnectionFieldProps = {
  choice: ReturnType<typeof useConnectionChoice>
  onChange: (connectionId: string) => void
  error?: string | null | undefined
}

/** Chooses the connection of a form. Renders nothing while there is no choice. */
export const ConnectionField = ({ choice, onChange, error }: ConnectionFieldProps) =>
  choice.asks && (
    <SelectField
      label="Connection"
      name="connectionId"
      value={choice.value}
      onChange={(event) => onChange(event.target.value)}
      error={error}
    >
      {choice.value === '' && <option value="">Choose…</option>}
      {choice.offered.map(({ connectionId, name, production }) => (
        <option key={connectionId} value={connectionId}>
          {name}
          {production ? ' (production)' : ''}
        </option>
      ))}
    </SelectField>
  )

/** Says beside a button that it acts on production. Renders nothing otherwise. */
export const ProductionNote = ({
  choice: { connection },
  verb,
}: Pick<ConnectionFieldProps, 'choice'> & { verb: string }) =>
  connection?.production && (
    <p className="flex min-w-0 items-center gap-1.5 text-xs text-muted">
      {verb} <ConnectionName {...connection} className="font-medium text-text" />
    </p>
  )
