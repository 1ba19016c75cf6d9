import { useQuery } from '@tanstack/react-query'
import { Plus, Unplug } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/buttons/button.tsx'
import { EmptyState } from '#ui/layout/empty-state.tsx'
import { Skeleton } from '#ui/layout/skeleton.tsx'
import { StaleNotice } from '#ui/records/stale-notice.tsx'
import { ConnectionCard } from './connection-card.tsx'
import { ConnectionDialog } from './connection-form.tsx'
import { connectionsQuery } from './connections.queries.ts'

export const ConnectionsList = () => {
  const { data, error, dataUpdatedAt, refetch } = useQuery(connectionsQuery)
  const [adding, setAdding] = useState(false)
  const add = (
    <Button variant="primary" onClick={() => setAdding(true)}>
      <Plus className="size-4" aria-hidden="true" />
      Add a connection
    </Button>
  )
  return (
    <section aria-labelledby="connections-heading">
      <div className="mb-3 flex min-h-8 items-center justify-between gap-4">
        <h2 id="connections-heading" className="text-base font-semibold">
          Connections
        </h2>
        {data && data.items.length > 0 && add}
      </div>
      {error && <StaleNotice error={error} dataUpdatedAt={dataUpdatedAt} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-56 w-full" />}
      {data?.items.length === 0 && (
        <EmptyState panel icon={<Unplug strokeWidth={1.5} />} title="No service is connected" action={add}>
          A connection is the address of an Admin API and a key for it. Exports and agent jobs belong to one.
        </EmptyState>
      )}
      {data && data.items.length > 0 && (
        <ul className="grid gap-4">
          {data.items.map((connection) => (
            <li key={connection.connectionId}>
              <ConnectionCard connection={connection} connections={data.items} keyFiles={data.keyFiles} />
            </li>
          ))}
        </ul>
      )}
      {adding && (
        <ConnectionDialog connection={null} keyFiles={data?.keyFiles ?? null} onDone={() => setAdding(false)} />
      )}
    </section>
  )
}
