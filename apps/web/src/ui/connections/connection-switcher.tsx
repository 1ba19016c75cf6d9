import { findConnection } from '#lib/connections/connections.ts'
import { Options } from '#ui/forms/form.tsx'
import {
  ConnectionDot,
  ProductionBadge,
  useChooseConnection,
  useChosenConnection,
  useConnections,
} from './connections.tsx'

/** Chooses the connection whose records the pages show, in the address. Renders nothing while there is only one. */
export const ConnectionSwitcher = ({ className = '' }: { className?: string }) => {
  const connections = useConnections() ?? []
  const chosen = useChosenConnection()
  const choose = useChooseConnection()
  if (connections.length < 2) return null
  const connection = findConnection(connections, chosen)
  return (
    <label className={`flex items-center ${className}`}>
      <span className="sr-only">Shown connection</span>
      <span className="relative flex min-w-0 flex-1 items-center">
        {connection && (
          <span className="pointer-events-none absolute left-2.5 inline-flex">
            <ConnectionDot colour={connection.colour} />
          </span>
        )}
        <select
          value={chosen}
          onChange={(event) => void choose(event.target.value)}
          className={`h-8 w-full min-w-0 cursor-pointer rounded-md border border-line-strong/60 bg-surface pr-1 text-sm font-medium text-ellipsis hover:bg-hover ${connection ? 'pl-6' : 'pl-2'}`}
        >
          <option value="">All connections</option>
          <Options of={connections.map(({ connectionId, name }) => [connectionId, name])} />
        </select>
      </span>
      {connection?.production && (
        <span className="ml-2">
          <ProductionBadge />
        </span>
      )}
    </label>
  )
}
