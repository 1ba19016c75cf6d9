import type { Channel, Site } from '@docket/api-types/sites'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mainChannel, nameChannel } from '#features/releases/sites/site-labels.ts'
import { siteQuery } from '#features/releases/sites/sites.queries.ts'
import { formatCount } from '#lib/text/format.ts'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { usePaused } from '#ui/live/use-paused.ts'
import { PromoteForm } from './promote-form.tsx'
import { Promoted } from './promoted.tsx'

type PromoteDialogProps = {
  /** The site as the page knows it. */
  site: Site
  channelId: string
  /** Export to begin with; the newest by default. */
  exportId?: string | undefined
  onClose: () => void
}

/** Promotes an export to a channel: its gate before the click, and its address after it. */
export const PromoteDialog = ({ site: known, channelId, exportId, onClose }: PromoteDialogProps) => {
  // Another person may change the channel while this is open.
  const { data: site = known } = useQuery(siteQuery(known.siteId, usePaused()))
  const [promoted, setPromoted] = useState<Channel | null>(null)
  const [chosen, setChosen] = useState(exportId ?? site.newest?.exportId ?? '')
  const channel = site.channels.find((one) => one.channelId === channelId) ?? mainChannel(known)
  if (!channel) return null
  if (promoted?.current)
    return (
      <Dialog
        key="promoted"
        open
        onClose={onClose}
        title={`${nameChannel(promoted)} shows release ${formatCount(promoted.current.number)}`}
      >
        <Promoted channel={promoted} onClose={onClose} />
      </Dialog>
    )
  return (
    <Dialog open wide onClose={onClose} title={`Promote to ${nameChannel(channel)}`}>
      <PromoteForm
        site={site}
        channel={channel}
        exportId={chosen}
        onChoose={setChosen}
        onPromoted={setPromoted}
        onClose={onClose}
      />
    </Dialog>
  )
}
