import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/buttons/button.tsx'
import { EmptyState } from '#ui/layout/empty-state.tsx'
import { Skeleton } from '#ui/layout/skeleton.tsx'
import { StaleNotice } from '#ui/records/stale-notice.tsx'
import { tokensQuery } from './api-tokens.queries.ts'
import { CreateTokenDialog } from './create-token-dialog.tsx'
import type { NamedConnection } from './token-limits.tsx'
import { TokenRow } from './token-row.tsx'
import type { TokenSiteChoice } from './token-sites.ts'

const row =
  'grid min-h-18 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-5 gap-y-1.5 px-4 py-3 text-sm sm:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)_minmax(0,1fr)_6rem]'

type TokenListProps = { connections: readonly NamedConnection[]; sites: readonly TokenSiteChoice[] }

export const TokenList = ({ connections, sites }: TokenListProps) => {
  const { data, error, dataUpdatedAt, refetch } = useQuery(tokensQuery)
  const [creating, setCreating] = useState(false)
  const create = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Plus className="size-4" aria-hidden="true" />
      Create token
    </Button>
  )
  const items = data?.items ?? []
  return (
    <section aria-labelledby="tokens-heading">
      <div className="mb-3 flex min-h-8 items-center justify-between gap-4">
        <h2 id="tokens-heading" className="text-base font-semibold">
          API tokens
        </h2>
        {items.length > 0 && create}
      </div>
      {error && <StaleNotice error={error} dataUpdatedAt={dataUpdatedAt} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-40 w-full" />}
      {data && items.length === 0 && (
        <div className="panel">
          <EmptyState icon={<KeyRound strokeWidth={1.5} />} title="No tokens yet" action={create}>
            Use tokens to call Docket from CI and scripts.
          </EmptyState>
        </div>
      )}
      {items.length > 0 && (
        <ul className="panel divide-y divide-line">
          {items.map((token) => (
            <li key={token.tokenId} className={`${row} ${token.state === 'active' ? '' : 'bg-sunken'}`}>
              <TokenRow token={token} connections={connections} sites={sites} />
            </li>
          ))}
        </ul>
      )}
      <CreateTokenDialog {...{ connections, sites }} open={creating} onClose={() => setCreating(false)} />
    </section>
  )
}
