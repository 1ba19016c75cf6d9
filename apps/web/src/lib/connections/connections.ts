import type { Connection } from '@docket/api-types/connections'
import { readStored, createStore } from '#lib/state/store.ts'
import { parseJson } from '#lib/text/json.ts'

const readStoredConnections = (): readonly Connection[] | null => {
  const known = parseJson(readStored('local', 'connections') ?? 'null')
  return Array.isArray(known) ? (known as Connection[]) : null
}

/** Connections whose records the reader may see. Stored, so that the first layout is right; null while unknown. */
export const currentConnections = createStore<readonly Connection[] | null>(readStoredConnections())

export const findConnection = (connections: readonly Connection[], id: string | undefined): Connection | null =>
  connections.find(({ connectionId }) => connectionId === id) ?? null

const isUuid = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/iu.test(text)

/** Connection that an address chooses, or `''` for all of them. Ignores one that the reader cannot see. */
export const parseChoice = (connections: readonly Connection[] | null, value: unknown): string => {
  if (typeof value !== 'string') return ''
  const isKnown = connections === null ? isUuid(value) : findConnection(connections, value) !== null
  return isKnown ? value : ''
}

export const isActiveConnection = ({ use, kind }: Pick<Connection, 'use' | 'kind'>): boolean =>
  use === 'active' && kind !== 'unassigned'

const unused = { active: 'belongs to no service', paused: 'is paused', unusable: 'cannot be used', gone: 'was removed' }

/** Reason why Docket makes no calls about records of this connection; null when it may. */
export const explainReadOnly = (connection: Connection | null): string | null =>
  connection === null || isActiveConnection(connection)
    ? null
    : (connection.useReason ?? `${connection.name} ${unused[connection.use]}, so this is read-only.`)

/** Reason why the reader may not change records of this connection. `general` decides while it is unknown. */
export const explainOperate = (connection: Connection | null, general: string | null): string | null => {
  if (connection === null) return general
  if (connection.mayOperate) return null
  return general ?? `You can only view records of ${connection.name}. Ask an admin for access.`
}

const downStates = new Set<Connection['state']>(['unreachable', 'key_rejected', 'unexpected'])

/** Reason why no record of a connection can be read, or null. A refusal may concern one operation only, and a 429 only slows down. */
export const explainDown = ({ name, state, message }: Pick<Connection, 'name' | 'state' | 'message'>): string | null =>
  downStates.has(state) ? (message ?? `${name} returns no usable response.`) : null

/** Connections on which the reader may start exports or, with `creates`, agent jobs. */
export const offerConnections = (connections: readonly Connection[], creates = false): readonly Connection[] =>
  connections.filter((one) => isActiveConnection(one) && one.mayOperate && (!creates || one.agentJobCreation))

/**
 * Connection that a form preselects: the one its domain belongs to (`home`, null while unknown) or that is chosen for the page, else the
 * first. `''` asks the reader: when these two differ or are not available, for production, and for a domain without exports.
 */
export const preselectConnection = (offered: readonly Connection[], chosen: string, home?: string | null): string => {
  if (home && chosen !== '' && home !== chosen) return ''
  const wanted = findConnection(offered, home || chosen)
  const isAlone = offered.length === 1
  if (home || chosen !== '')
    return wanted && (isAlone || chosen !== '' || !wanted.production) ? wanted.connectionId : ''
  const asks = !isAlone && (home === null || offered.some(({ production }) => production))
  return asks ? '' : (offered[0]?.connectionId ?? '')
}

/** Reason why the reader can start nothing here; null when they can, or while unknown. */
export const explainNoStart = (
  connections: readonly Connection[] | null,
  general: string | null,
  creates = false,
): string | null => {
  if (connections === null) return general
  if (offerConnections(connections, creates).length > 0) return null
  const active = connections.filter(isActiveConnection)
  if (active.length === 0) return 'No service is connected. Admins connect one in Settings.'
  if (active.some(({ mayOperate }) => mayOperate)) return 'No connection here can create agent jobs.'
  return general ?? 'You can only view records here. Ask an admin for access.'
}
