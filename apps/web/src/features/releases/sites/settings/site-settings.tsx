import type { Site } from '@docket/api-types/sites'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { accessLabels, nameChannel } from '#features/releases/sites/site-labels.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { AddChannelDialog } from './add-channel-dialog.tsx'
import { ChannelSettingsDialog } from './channel-settings.tsx'
import { FeedsPanel, type NamedConnection } from './feeds-panel.tsx'
import { SiteForm } from './site-form.tsx'

type SiteSettingsProps = {
  site: Site
  /** Every site that the reader may see. */
  sites: readonly Site[]
  connections: readonly NamedConnection[]
  /** Address of Docket for programs. */
  docket: string
}

const notYours = 'Only admins and operators of everything that feeds this site can change it. Ask an admin for access.'

const ChannelsPanel = ({ site, refused }: { site: Site; refused: string | null }) => {
  const [adding, setAdding] = useState(false)
  const [openId, setOpenId] = useState<string | null>(null)
  const open = site.channels.find(({ channelId }) => channelId === openId)
  return (
    <Panel
      title="Channels"
      action={
        <Button refused={refused} onClick={() => setAdding(true)}>
          <Plus className="size-4" aria-hidden="true" />
          Add a channel…
        </Button>
      }
    >
      <ul className="divide-y divide-line">
        {site.channels.map((channel) => (
          <li
            key={channel.channelId}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5 text-sm"
          >
            <div className="min-w-0">
              <p className="font-medium wrap-anywhere">{nameChannel(channel)}</p>
              <p className="text-xs text-muted wrap-anywhere">
                {accessLabels[channel.access].word}
                {channel.isProtected && ', protected'}
                {channel.hostname !== null && `, ${channel.hostname}`}
                {channel.followsExports && ', follows each export whose check finished'}
              </p>
            </div>
            <Button onClick={() => setOpenId(channel.channelId)}>
              Settings…<span className="sr-only"> of {nameChannel(channel)}</span>
            </Button>
          </li>
        ))}
      </ul>
      {adding && <AddChannelDialog siteId={site.siteId} onClose={() => setAdding(false)} />}
      {open && (
        <ChannelSettingsDialog siteId={site.siteId} channel={open} refused={refused} onClose={() => setOpenId(null)} />
      )}
    </Panel>
  )
}

/** Settings of a site: its name and addresses, what feeds it, and its channels. */
export const SiteSettings = ({ site, sites, connections, docket }: SiteSettingsProps) => {
  const refused = site.mayChange ? null : notYours
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4">
      <ChannelsPanel site={site} refused={refused} />
      <SiteForm key={site.siteId} site={site} docket={docket} refused={refused} />
      <FeedsPanel {...{ site, sites, connections, refused }} />
    </div>
  )
}
