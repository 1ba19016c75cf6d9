import type { Site } from '@docket/api-types/sites'
import { useQuery } from '@tanstack/react-query'
import { Globe } from 'lucide-react'
import { useState } from 'react'
import { useChosenConnection } from '#ui/connections/use-connections.ts'
import { EmptyState } from '#ui/layout/empty-state.tsx'
import { FilterField } from '#ui/forms/filter-field.tsx'
import { Link } from '#ui/links/link.tsx'
import { StaleNotice } from '#ui/records/stale-notice.tsx'
import { Loading } from '#ui/layout/skeleton.tsx'
import { usePaused } from '#ui/live/use-paused.ts'
import { AddressLink } from './address-link.tsx'
import { GuardMarks } from './channels/channel-marks.tsx'
import { NewerExport } from './channels/newer-export.tsx'
import { ShownRelease } from './channels/shown-release.tsx'
import { findMainChannel, nameChannel } from './site-labels.ts'
import { sitesQuery } from './sites.queries.ts'

const minFiltered = 8
/** Each counted row asks for its checks before publishing. */
const maxCounted = 20

const SiteRow = ({ site, counts }: { site: Site; counts: boolean }) => {
  const { siteId, name, label } = site
  const channel = findMainChannel(site)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-1 px-4 py-3 text-sm md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
      <div className="min-w-0">
        <h2 className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link
            to="/sites/$siteId"
            params={{ siteId }}
            className="inline-flex min-h-6 min-w-0 items-center text-base font-semibold wrap-anywhere underline-offset-2 hover:underline"
          >
            <bdi>{name}</bdi>
          </Link>
          {channel && <GuardMarks {...channel} />}
        </h2>
        {channel?.address ? <AddressLink channel={channel} /> : <code className="text-xs text-muted">{label}</code>}
      </div>
      {channel && (
        <div className="grid min-w-0 content-center gap-y-0.5">
          <p>
            <span className={channel.name === 'production' ? 'sr-only' : 'text-muted'}>{nameChannel(channel)}: </span>
            <ShownRelease release={channel.current} />
          </p>
          <p className="empty:hidden">
            <NewerExport site={site} channel={channel} counts={counts} />
          </p>
        </div>
      )}
    </li>
  )
}

const NoSites = () => (
  <div className="panel">
    <EmptyState
      icon={<Globe strokeWidth={1.5} />}
      title="No sites yet"
      action={
        <Link to="/exports" className="text-accent hover:underline">
          Go to exports
        </Link>
      }
    >
      A site appears here once Docket has stored the first export of a domain. You then choose which export its readers
      see.
    </EmptyState>
  </div>
)

const matchesSite = ({ name, label, feeds }: Site, text: string) =>
  [name, label, ...feeds.map(({ domain }) => domain)].some((own) => own.toLowerCase().includes(text))

export const SiteList = () => {
  const { data, error, dataUpdatedAt, refetch } = useQuery(sitesQuery(usePaused()))
  const connection = useChosenConnection()
  const [text, setText] = useState('')
  const sites = data?.sites.filter(
    ({ feeds }) => connection === '' || feeds.some(({ connectionId }) => connectionId === connection),
  )
  const shown = sites?.filter((site) => matchesSite(site, text.trim().toLowerCase()))
  return (
    <section aria-label="Sites">
      {error && <StaleNotice error={error} dataUpdatedAt={dataUpdatedAt} onRetry={() => void refetch()} />}
      {!data && !error && (
        <Loading label="Loading sites" className="grid gap-2" lines={['h-16 w-full', 'h-16 w-full', 'h-16 w-full']} />
      )}
      {sites?.length === 0 && <NoSites />}
      {sites && sites.length >= minFiltered && (
        <div className="mb-3 flex max-w-md">
          <FilterField label="Filter sites" value={text} onChange={setText} />
        </div>
      )}
      {sites && sites.length > 0 && shown?.length === 0 && (
        <p className="panel px-4 py-8 text-center text-sm text-muted">No site matches this filter.</p>
      )}
      {shown && shown.length > 0 && (
        <ul className="panel divide-y divide-line">
          {shown.map((site, nth) => (
            <SiteRow key={site.siteId} site={site} counts={nth < maxCounted} />
          ))}
        </ul>
      )}
    </section>
  )
}
