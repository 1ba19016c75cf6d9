import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useRecordTitle } from '#app/titles/page-title.ts'
import { siteQuery } from '#features/releases/sites/sites.queries.ts'
import { SiteView } from '#features/releases/sites/site-view.tsx'
import { isolateText } from '#lib/text/bidi.ts'
import { BackLink } from '#ui/links/link.tsx'
import { usePaused } from '#ui/live/use-paused.ts'
import type { Channel, Site } from '@docket/api-types/sites'
import { HostConfigurationButton } from '#features/bundles/host-configuration/host-configuration-button.tsx'
import { nameChannel } from '#features/releases/sites/site-labels.ts'
import { ChannelSnippets } from '#features/releases/sites/snippets/channel-snippets.tsx'
import { useSeesExports } from '#features/releases/sites/use-sees-exports.ts'
import { ChannelTargets } from '#features/releases/targets/channel-targets.tsx'
import { printProgramAddress } from '#lib/address/own-address.ts'
import { Panel } from '#ui/layout/panel.tsx'

const HostItYourself = ({ site, channel: { current } }: { site: Site; channel: Channel }) => {
  const seesExports = useSeesExports(site)
  if (!current?.isListed || !seesExports) return null
  return (
    <Panel title="Host it yourself">
      <p className="mb-3 max-w-prose text-sm text-muted">
        Files for nginx, Caddy, Apache, S3 with CloudFront, Netlify and Cloudflare Pages, made for what this channel
        shows.
      </p>
      <HostConfigurationButton exportId={current.exportId} domain={site.feeds[0]?.domain ?? site.name} />
    </Panel>
  )
}

const renderChannel = (site: Site, channel: Channel) => (
  <>
    {channel.mayPublish && <ChannelTargets siteId={site.siteId} channel={{ ...channel, name: nameChannel(channel) }} />}
    {channel.current && <ChannelSnippets site={site} channel={channel} docket={printProgramAddress()} />}
    <HostItYourself site={site} channel={channel} />
  </>
)

export const SitePage = () => {
  const from = '/inside/sites/$siteId'
  const { siteId } = useParams({ from })
  const { channel } = useSearch({ from })
  const { data: site } = useQuery(siteQuery(siteId, usePaused()))
  useRecordTitle(site ? isolateText(site.name) : null)
  return (
    <>
      <BackLink to="/">← Sites</BackLink>
      <SiteView key={siteId} siteId={siteId} channel={channel} renderChannel={renderChannel} />
    </>
  )
}
