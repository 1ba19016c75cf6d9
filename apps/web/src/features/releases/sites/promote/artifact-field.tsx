import type { Site, SiteArtifact } from '@docket/api-types/sites'
import { useQuery } from '@tanstack/react-query'
import { nameChannel } from '#features/releases/sites/site-labels.ts'
import { siteArtifactsQuery } from '#features/releases/sites/sites.queries.ts'
import { isolate } from '#lib/text/bidi.ts'
import { formatInstant, formatPlural } from '#lib/text/format.ts'
import { SelectField } from '#ui/forms/field.tsx'
import { StaleNotice } from '#ui/records/stale-notice.tsx'
import { Skeleton } from '#ui/layout/skeleton.tsx'

const describe = ({ exportedAt, pages, domain, shownBy }: SiteArtifact, several: boolean) =>
  [
    formatInstant(exportedAt),
    several && isolate(domain),
    formatPlural(pages, 'page'),
    shownBy.length > 0 && `in ${shownBy.map((name) => nameChannel({ name })).join(', ')}`,
  ]
    .filter(Boolean)
    .join(' · ')

type ArtifactFieldProps = { site: Site; exportId: string; onChoose: (exportId: string) => void }

/** Choice among the stored exports of a site, the newest first. */
export const ArtifactField = ({ site, exportId, onChoose }: ArtifactFieldProps) => {
  const { data, error, dataUpdatedAt, refetch } = useQuery(siteArtifactsQuery(site.siteId))
  if (!data)
    return error ? (
      <StaleNotice error={error} dataUpdatedAt={dataUpdatedAt} onRetry={() => void refetch()} />
    ) : (
      <Skeleton className="h-15 w-full" />
    )
  const isListed = data.artifacts.some((one) => one.exportId === exportId)
  return (
    <SelectField label="Export" value={exportId} onChange={({ target }) => onChoose(target.value)}>
      {!isListed && exportId !== '' && <option value={exportId}>The export that you came from</option>}
      {data.artifacts.map((one) => (
        <option key={one.exportId} value={one.exportId}>
          {describe(one, site.feeds.length > 1)}
        </option>
      ))}
    </SelectField>
  )
}
