import type { Channel, Site } from '@docket/api-types/sites'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { findMainChannel, nameChannel, accessLabels } from '#features/releases/sites/site-labels.ts'
import { siteQuery } from '#features/releases/sites/sites.queries.ts'
import { formatCount } from '#lib/text/format.ts'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { usePaused } from '#ui/live/use-paused.ts'
import { PublishForm } from './publish-form.tsx'
import { ExternalLink } from 'lucide-react'
import { shortenAddress, toOpenAddress } from '#features/releases/sites/address-link.tsx'
import { Button, buttonClass } from '#ui/buttons/button.tsx'
import { CopyButton } from '#ui/copying/copy-button.tsx'
import { StateLabel } from '#ui/marks/state-mark.tsx'

const PublishedNotice = ({ channel, onClose }: { channel: Channel; onClose: () => void }) => {
  const { address, addressProblem, access } = channel
  return (
    <div className="grid gap-4 text-sm">
      <p role="status">
        <StateLabel tone="done">Published</StateLabel>
        <span className="sr-only">.</span>
      </p>
      {address === null ? (
        <p>{addressProblem ?? accessLabels[access].hint}</p>
      ) : (
        <>
          <p className="flex items-center gap-1">
            <span className="min-w-0 font-medium wrap-anywhere">{shortenAddress(address)}</span>
            <CopyButton text={address} label="Copy the address" />
          </p>
          <p className="text-muted">{accessLabels[access].hint}</p>
        </>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="md" onClick={onClose}>
          Close
        </Button>
        {address !== null && (
          <a
            href={toOpenAddress(address, channel)}
            target="_blank"
            rel="noopener noreferrer"
            data-autofocus=""
            className={buttonClass({ variant: 'primary', size: 'md' })}
          >
            Open it
            <ExternalLink className="size-3.5" aria-hidden="true" />
            <span className="sr-only"> (opens in a new tab)</span>
          </a>
        )}
      </div>
    </div>
  )
}

type PublishDialogProps = {
  site: Site
  channelId: string
  /** Preselected export; the newest by default. */
  exportId?: string | undefined
  onClose: () => void
}

export const PublishDialog = ({ site: known, channelId, exportId, onClose }: PublishDialogProps) => {
  // Another person may change the channel while this is open.
  const { data: site = known } = useQuery(siteQuery(known.siteId, usePaused()))
  const [published, setPublished] = useState<Channel | null>(null)
  const [chosen, setChosen] = useState(exportId ?? site.newest?.exportId ?? '')
  const channel = site.channels.find((one) => one.channelId === channelId) ?? findMainChannel(known)
  if (!channel) return null
  if (published?.current)
    return (
      <Dialog key="published" open onClose={onClose} title={`Live: release ${formatCount(published.current.number)}`}>
        <PublishedNotice channel={published} onClose={onClose} />
      </Dialog>
    )
  return (
    <Dialog open wide onClose={onClose} title={`Publish to ${nameChannel(channel)}`}>
      <PublishForm
        site={site}
        channel={channel}
        exportId={chosen}
        onChoose={setChosen}
        onPublished={setPublished}
        onClose={onClose}
      />
    </Dialog>
  )
}
