import type { Channel, Site } from '@docket/api-types/sites'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import { Link2, Undo2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { ApiError } from '#lib/api/api-error.ts'
import { Button } from '#ui/buttons/button.tsx'
import { copyPageLink } from '#ui/copying/copy.ts'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Loading, ReadState } from '#ui/layout/page.tsx'
import { Link } from '#ui/links/link.tsx'
import { usePaused, Ago } from '#ui/live/ticking.tsx'
import { MenuItem, Menu } from '#ui/overlays/menu.tsx'
import { AddressLink } from './address-link.tsx'
import { ShownRelease } from './channels/shown-release.tsx'
import { useRollBackQuestion } from './channels/use-roll-back-question.tsx'
import { PublishDialog } from './lazy-dialogs.ts'
import { SiteProposals } from './proposals/site-proposals.tsx'
import { findMainChannel, findPublishable, isNewerWaiting, nameChannel, describePageChange } from './site-labels.ts'
import { siteQuery, publishChecksQuery } from './sites.queries.ts'
import { useSeesExports } from './use-sees-exports.ts'

type MainProps = { site: Site; main: Channel }

/** Pages that the newest export would change for the readers of a channel; null while unknown. */
const useNewestChange = ({ site: { siteId, newest }, main }: MainProps): string | null => {
  const { data } = useQuery({
    ...publishChecksQuery(siteId, main, newest?.exportId ?? '', usePaused()),
    enabled: main.current !== null && newest !== null && newest.sha256 !== main.current.sha256,
    refetchInterval: false,
    staleTime: 300_000,
  })
  return data ? describePageChange(data.change) : null
}

/** The newest export of a site, and how it differs from what is live. Renders nothing without one. */
const NewestExport = (props: MainProps) => {
  const { site, main } = props
  const { newest } = site
  const { current } = main
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

const SiteMenu = ({ site, main }: MainProps) => {
  const router = useRouter()
  const here = useLocation({ select: ({ href }) => href })
  const rollBack = useRollBackQuestion(site.siteId)
  return (
    <>
      <Menu label={`More for ${site.name}`}>
        {main.mayPublish && main.current !== null && (
          <MenuItem icon={<Undo2 />} onSelect={rollBack.ask}>
            Roll back…
          </MenuItem>
        )}
        <MenuItem icon={<Link2 />} onSelect={() => void copyPageLink(router.history.createHref(here))}>
          Copy link
        </MenuItem>
      </Menu>
      {rollBack.dialog}
    </>
  )
}

const SiteFacts = ({ site, main }: MainProps) => (
  <div className="grid gap-y-0.5">
    <p className="flex flex-wrap items-center gap-x-3">
      <ShownRelease release={main.current} name={main.channelId === site.mainChannelId ? null : nameChannel(main)} />
      {main.current?.isMissing === true ? (
        <span className="font-medium text-failed">{main.addressProblem}</span>
      ) : (
        main.current && <AddressLink channel={main} />
      )}
    </p>
    <p className="empty:hidden">
      <NewestExport site={site} main={main} />
    </p>
  </div>
)

type SiteFrameProps = {
  siteId: string
  tabs: (site: Site) => ReactNode
  /** Shown beside *Publish*. */
  action: (site: Site) => ReactNode
  children: ReactNode
}

export const SiteFrame = ({ siteId, tabs, action, children }: SiteFrameProps) => {
  const query = useQuery(siteQuery(siteId, usePaused()))
  const { data: site, error } = query
  const [publishing, setPublishing] = useState<{ channelId: string; exportId?: string } | null>(null)
  const seesExports = useSeesExports(site ?? { feeds: [] })
  if (!site && error instanceof ApiError && error.code === 'not_found')
    return (
      <>
        <PageHeader title="Site not found" />
        <p className="text-sm text-muted">It joined another site, you may not see it, or the address is wrong.</p>
      </>
    )
  if (!site)
    return (
      <ReadState
        query={query}
        waiting={<Loading className="space-y-4" lines={['h-8 w-64', 'h-10 w-full', 'h-64 w-full']} />}
      />
    )
  const main = findMainChannel(site)
  const [publishable] = findPublishable(site)
  return (
    <>
      <PageHeader
        title={<bdi>{site.name}</bdi>}
        actions={
          <>
            {publishable && (
              <Button
                size="md"
                variant={isNewerWaiting(site.newest, publishable.current) ? 'primary' : 'secondary'}
                onClick={() => setPublishing({ channelId: publishable.channelId })}
              >
                Publish
              </Button>
            )}
            {action(site)}
            {main && <SiteMenu site={site} main={main} />}
          </>
        }
      >
        {main && <SiteFacts site={site} main={main} />}
      </PageHeader>
      <ReadState query={query} />
      <div className="mb-4 empty:hidden">
        <SiteProposals
          site={site}
          seesExports={seesExports}
          onPublish={(channelId, exportId) => setPublishing({ channelId, exportId })}
        />
      </div>
      {tabs(site)}
      {children}
      {publishing !== null && (
        <PublishDialog
          site={site}
          channelId={publishing.channelId}
          exportId={publishing.exportId}
          onClose={() => setPublishing(null)}
        />
      )}
    </>
  )
}
