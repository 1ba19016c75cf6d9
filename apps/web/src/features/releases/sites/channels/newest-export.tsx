import type { Channel, Site } from '@docket/api-types/sites'
import { useQuery } from '@tanstack/react-query'
import { Link } from '#ui/links/link.tsx'
import { Ago } from '#ui/live/ticking.tsx'
import { usePaused } from '#ui/live/use-paused.ts'
import { describePageChange } from '#features/releases/sites/site-labels.ts'
import { publishChecksQuery } from '#features/releases/sites/sites.queries.ts'
import { useSeesExports } from '#features/releases/sites/use-sees-exports.ts'

type NewestProps = { site: Site; channel: Channel }

/** Pages that the newest export would change for the readers of a channel; null while unknown. */
const useNewestChange = ({ site: { siteId, newest }, channel }: NewestProps): string | null => {
  const { data } = useQuery({
    ...publishChecksQuery(siteId, channel, newest?.exportId ?? '', usePaused()),
    enabled: channel.current !== null && newest !== null && newest.sha256 !== channel.current.sha256,
    refetchInterval: false,
    staleTime: 300_000,
  })
  return data ? describePageChange(data.change) : null
}

/** The newest export of a site, and how it differs from what is live. Renders nothing without one. */
export const NewestExport = (props: NewestProps) => {
  const { site, channel } = props
  const { newest } = site
  const { current } = channel
  const change = useNewestChange(props)
  const seesExports = useSeesExports(site)
  if (newest === null) return null
  const isLive = newest.sha256 === current?.sha256
  return (
    <span>
      <span className="font-medium text-text">Newest: </span>
      <Ago at={newest.exportedAt} />
      {isLive && ' · live'}
      {change && <> · {change}</>}
      {!isLive && current?.isListed && seesExports && (
        <>
          {' · '}
          <Link
            to="/exports/$exportId/changes"
            params={{ exportId: newest.exportId }}
            search={{ against: current.exportId }}
            className="inline-flex min-h-6 items-center text-accent hover:underline"
          >
            Compare
          </Link>
        </>
      )}
    </span>
  )
}
