import { HostConfigurationButton } from '#features/host-configuration/host-configuration-button.tsx'
import { nameChannel } from '#features/sites/site-labels.ts'
import type { SiteSlots } from '#features/sites/site-view.tsx'
import { ChannelSnippets } from '#features/sites/snippets/channel-snippets.tsx'
import { ChannelTargets } from '#features/targets/channel-targets.tsx'
import { programAddress } from '#lib/own-address.ts'
import { Panel } from '#ui/panel.tsx'

/** What other features show on the page of a site. */
export const siteSlots: SiteSlots = {
  ofChannel: (site, channel) => (
    <>
      {channel.current && <ChannelSnippets site={site} channel={channel} docket={programAddress()} />}
      {channel.current?.isListed && (
        <Panel title="Host it yourself">
          <p className="mb-3 max-w-prose text-sm text-muted">
            Files for nginx, Caddy, Apache, S3 with CloudFront, Netlify and Cloudflare Pages, made for what this channel
            shows.
          </p>
          <HostConfigurationButton exportId={channel.current.exportId} domain={site.feeds[0]?.domain ?? site.name} />
        </Panel>
      )}
      {channel.mayPromote && (
        <ChannelTargets siteId={site.siteId} channel={{ ...channel, name: nameChannel(channel) }} />
      )}
    </>
  ),
}
