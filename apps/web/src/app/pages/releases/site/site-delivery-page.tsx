import type { Channel, Site } from '@docket/api-types/sites'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ChannelList } from '#features/releases/sites/channels/channel-list.tsx'
import { findMainChannel, nameChannel } from '#features/releases/sites/site-labels.ts'
import { ChannelSnippets } from '#features/releases/sites/snippets/channel-snippets.tsx'
import { useSeesExports } from '#features/releases/sites/use-sees-exports.ts'
import { ChannelTargets } from '#features/releases/targets/channel-targets.tsx'
import { printProgramAddress } from '#lib/address/own-address.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Panel } from '#ui/layout/page.tsx'
import { lazyDialog } from '#ui/overlays/lazy.tsx'
import { useSite } from './use-site.ts'

const HostConfigurationDialog = lazyDialog(
  async () =>
    (await import('#features/bundles/host-configuration/host-configuration-dialog.tsx')).HostConfigurationDialog,
)

const HostItYourself = ({ site, channel: { current } }: { site: Site; channel: Channel }) => {
  const seesExports = useSeesExports(site)
  const [isOpen, setOpen] = useState(false)
  if (!current?.isListed || !seesExports) return null
  return (
    <Panel title="Host it yourself">
      <p className="mb-3 max-w-prose text-sm text-muted">
        Files for nginx, Caddy, Apache, S3 with CloudFront, Netlify and Cloudflare Pages, made for what this channel
        shows.
      </p>
      <Button onClick={() => setOpen(true)}>Host configuration…</Button>
      {isOpen && (
        <HostConfigurationDialog
          exportId={current.exportId}
          domain={site.feeds[0]?.domain ?? site.name}
          onClose={() => setOpen(false)}
        />
      )}
    </Panel>
  )
}

export const SiteDeliveryPage = () => {
  const { channel: name } = useSearch({ from: '/inside/sites/$siteId/delivery' })
  const site = useSite()
  const channel = site && (site.channels.find((one) => one.name === name) ?? findMainChannel(site))
  if (!channel) return null
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <ChannelList site={site} chosen={channel} />
      {channel.mayPublish && (
        <ChannelTargets
          key={channel.channelId}
          siteId={site.siteId}
          channel={{ ...channel, name: nameChannel(channel) }}
        />
      )}
      {channel.current && <ChannelSnippets site={site} channel={channel} docket={printProgramAddress()} />}
      <HostItYourself site={site} channel={channel} />
    </div>
  )
}
