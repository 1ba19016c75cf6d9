import type { Channel, Site } from '@docket/api-types/sites'
import { HostConfigurationButton } from '#features/bundles/host-configuration/host-configuration-button.tsx'
import { nameChannel } from '#features/releases/sites/site-labels.ts'
import type { SiteSlots } from '#features/releases/sites/site-view.tsx'
import { ChannelSnippets } from '#features/releases/sites/snippets/channel-snippets.tsx'
import { useSeesExports } from '#features/releases/sites/use-sees-exports.ts'
import { ChannelTargets } from '#features/releases/targets/channel-targets.tsx'
import { programAddress } from '#lib/address/own-address.ts'
import { Panel } from '#ui/layout/panel.tsx'

/** Files for somebody else's server, made from the export that a channel shows. */
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

/** What other features show on the page of a site. */
export const siteSlots: SiteSlots = {
  ofChannel: (site, channel) => (
    <>
      {channel.mayPromote && (
        <ChannelTargets siteId={site.siteId} channel={{ ...channel, name: nameChannel(channel) }} />
      )}
      {channel.current && <ChannelSnippets site={site} channel={channel} docket={programAddress()} />}
      <HostItYourself site={site} channel={channel} />
    </>
  ),
}
