import {
  findConnection,
  isActiveConnection,
  offerConnections,
  preselectConnection,
} from '#lib/connections/connections.ts'
import { SelectField, Options } from '#ui/forms/form.tsx'
import { ConnectionName, useChosenConnection, useConnections } from './connections.tsx'

/**
 * Connections of a form: those on offer, the chosen one or null, and whether the reader still has to choose. `home`: where the domain of the
 * form belongs, or null.
 */
export const useConnectionChoice = (typed: string, creates = false, home?: string | null) => {
  const known = useConnections() ?? []
  const offered = offerConnections(known, creates)
  const page = useChosenConnection()
  const isTyped = findConnection(offered, typed) !== null
  const value = isTyped ? typed : preselectConnection(offered, page, home)
  const connection = findConnection(offered, value)
  const asks = isTyped || offered.length > 1 || (offered.length === 1 && value === '')
  return {
    offered,
    value,
    connection,
    /** True when the connection must be shown beside the button: it is production, or the only one of several that accepts this. */
    names: connection !== null && (connection.production || (!asks && known.filter(isActiveConnection).length > 1)),
    /** Part of a request's body. Empty if the form did not ask, so that the server refuses a record of another connection. */
    body: (asks && value !== '' ? { connectionId: value } : {}) as { connectionId?: string },
    isOther: (kind: (typeof offered)[number]['kind']) => (findConnection(offered, value)?.kind ?? kind) !== kind,
    asks,
    missing: offered.length > 0 && value === '',
  }
}

type ConnectionFieldProps = {
  choice: ReturnType<typeof useConnectionChoice>
  onChange: (connectionId: string) => void
  error?: string | null | undefined
}

/** Field for the connection of a form. Renders nothing while there is no choice, but asks after an error. */
export const ConnectionField = ({ choice, onChange, error }: ConnectionFieldProps) =>
  (choice.asks || Boolean(error)) && (
    <SelectField
      label="Connection"
      name="connectionId"
      value={choice.asks ? choice.value : ''}
      onChange={(event) => onChange(event.target.value)}
      error={error}
    >
      {(!choice.asks || choice.value === '') && <option value="">Choose…</option>}
      <Options
        of={choice.offered.map((one) => [one.connectionId, one.production ? `${one.name} (production)` : one.name])}
      />
    </SelectField>
  )

/** Names the connection that a button acts on. Renders nothing where the form names it already, unless it is production. */
export const ConnectionNote = ({
  choice: { connection, names },
  verb,
}: Pick<ConnectionFieldProps, 'choice'> & { verb: string }) =>
  connection &&
  names && (
    <p className="flex min-w-0 items-center gap-1.5 text-xs text-muted">
      {verb} <ConnectionName {...connection} className="font-medium text-text" />
    </p>
  )
