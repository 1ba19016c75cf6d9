import type { Channel, Site } from '@docket/api-types/sites'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { findMainChannel, findPublishable, getShownNumber, nameChannel } from '#features/releases/sites/site-labels.ts'
import { siteQuery } from '#features/releases/sites/sites.queries.ts'
import { formatCount } from '#lib/text/format.ts'
import { SelectField, Options } from '#ui/forms/form.tsx'
import { usePaused } from '#ui/live/ticking.tsx'
import { toast } from '#ui/messages/toast.ts'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { PublishForm } from './publish-form.tsx'

type PublishDialogProps = {
  site: Site
  /** Preselected channel; people may choose another one. */
  channelId: string
  /** Preselected export; the newest by default. */
  exportId?: string | undefined
  onClose: () => void
}

export const PublishDialog = ({ site: known, channelId, exportId, onClose }: PublishDialogProps) => {
  // Another person may change the channel while this is open.
  const { data: site = known } = useQuery(siteQuery(known.siteId, usePaused()))
  const [channelChosen, setChannelChosen] = useState(channelId)
  const [chosen, setChosen] = useState(exportId ?? site.newest?.exportId ?? '')
  const channel = site.channels.find((one) => one.channelId === channelChosen) ?? findMainChannel(known)
  if (!channel) return null
  const publishable = findPublishable(site)
  const end = ({ current }: Channel) => {
    toast(`Published. Readers see release ${formatCount(current ? getShownNumber(current) : 1)}.`, { tone: 'done' })
    onClose()
  }
  return (
    <Dialog wide onClose={onClose} title={`Publish to ${nameChannel(channel)}`}>
      {publishable.length > 1 && (
        <div className="mb-4">
          <SelectField
            label="Channel"
            value={channel.channelId}
            onChange={({ target }) => setChannelChosen(target.value)}
          >
            <Options of={publishable.map((one) => [one.channelId, nameChannel(one)])} />
          </SelectField>
        </div>
      )}
      <PublishForm
        key={channel.channelId}
        site={site}
        channel={channel}
        exportId={chosen}
        onChoose={setChosen}
        onPublished={end}
        onClose={onClose}
      />
    </Dialog>
  )
}
