import { useQuery } from '@tanstack/react-query'
import { Plus, Unplug } from 'lucide-react'
import { useState } from 'react'
import type { LinkToRecord } from '#features/service/connections/connection-calls.tsx'
import { useStatus } from '#features/service/connections/connection.queries.ts'
import { NoService } from '#features/service/connections/no-service.tsx'
import { Button } from '#ui/buttons/button.tsx'
import { useRefusal } from '#ui/forms/use-refusal.ts'
import { EmptyState, Skeleton, ReadState } from '#ui/layout/page.tsx'
import { ConnectionCard } from './connection-card.tsx'
import { ConnectionDialog } from './connection-form.tsx'
import { connectionsQuery } from './connections.queries.ts'

/** Connections that the reader may see: for admins with their settings. */
export const ConnectionsList = ({ linkTo }: { linkTo: LinkToRecord }) => {
  const isAdmin = useRefusal('admin') === null
  const status = useStatus()
  const settings = useQuery({ ...connectionsQuery, enabled: isAdmin })
  const query = isAdmin ? settings : status
  const connections = isAdmin ? settings.data?.items : status.data?.connections
  const keyFiles = settings.data?.keyFiles ?? null
  const [adding, setAdding] = useState(false)
  const add = isAdmin && (
    <Button icon={Plus} variant="primary" onClick={() => setAdding(true)}>
      Add a connection
    </Button>
  )
  return (
    <section aria-labelledby="connections-heading">
      <div className="mb-3 flex min-h-8 items-center justify-between gap-4">
        <h2 id="connections-heading" className="text-base font-semibold">
          Connections
        </h2>
        {connections && connections.length > 0 && add}
      </div>
      <ReadState query={query} waiting={<Skeleton className="h-56 w-full" />} />
      {connections?.length === 0 &&
        (add ? (
          <EmptyState panel icon={<Unplug strokeWidth={1.5} />} title="No service is connected" action={add}>
            A connection is the address of an Admin API and a key for it. Exports and agent jobs belong to one.
          </EmptyState>
        ) : (
          <div className="panel">
            <NoService />
          </div>
        ))}
      {connections && connections.length > 0 && (
        <ul className="grid gap-4">
          {connections.map((connection) => (
            <li key={connection.connectionId}>
              <ConnectionCard {...{ connection, connections, keyFiles, linkTo }} />
            </li>
          ))}
        </ul>
      )}
      {adding && <ConnectionDialog connection={null} keyFiles={keyFiles} onDone={() => setAdding(false)} />}
    </section>
  )
}
