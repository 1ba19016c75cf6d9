import { useQuery } from '@tanstack/react-query'
import { SnippetPage } from '#features/people/tokens/snippet-page.tsx'
import { TokenList } from '#features/people/tokens/token-list.tsx'
import { exportFiltersQuery } from '#features/records/static-exports/static-exports.queries.ts'
import { sitesQuery } from '#features/releases/sites/sites.queries.ts'
import { useStatus } from '#features/service/connections/connection.queries.ts'
import { printProgramAddress } from '#lib/address/own-address.ts'
import { usePaused } from '#ui/live/ticking.tsx'
import { PeopleTokensTabs } from './people-tokens-tabs.tsx'

const SnippetSection = () => {
  const status = useStatus().data
  const filters = useQuery(exportFiltersQuery('')).data
  if (!status || !filters) return null
  const { local, bundleDelivery } = status
  return (
    <SnippetPage
      defaults={{
        docket: printProgramAddress(),
        domain: filters.domains[0] ?? local?.domains[0] ?? 'docs.example.com',
        projectId: local?.projectIds[0] ?? 'your-project',
        delivery: bundleDelivery,
      }}
    />
  )
}

export const TokensPage = () => (
  <>
    <PeopleTokensTabs />
    <div className="space-y-8">
      <TokenList
        connections={useStatus().data?.connections ?? []}
        sites={useQuery(sitesQuery(usePaused())).data?.sites ?? []}
      />
      <SnippetSection />
    </div>
  </>
)
