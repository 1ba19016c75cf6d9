import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { useRefusal } from '#ui/forms/use-refusal.ts'
import { Link } from '#ui/links/link.tsx'
import { Ago, usePaused } from '#ui/live/ticking.tsx'
import { PublishDialog } from './lazy-dialogs.ts'
import { explainNoPublishing, findMainChannel, getShownNumber, nameChannel } from './site-labels.ts'
import { exportSiteQuery } from './sites.queries.ts'

type PublishedExport = { exportId: string; artifact?: { state: string; sha256: string | null } | null | undefined }

/** Main channel of the site of a stored export, and whether it shows that export. Null while unknown. */
export const useMainChannel = ({ exportId, artifact }: PublishedExport) => {
  const enabled = artifact?.state === 'stored'
  const { data: site } = useQuery({ ...exportSiteQuery(exportId, usePaused()), enabled })
  const channel = site && findMainChannel(site)
  const isShown = channel?.current?.exportId === exportId || channel?.current?.sha256 === artifact?.sha256
  return site && channel ? { site, channel, isShown } : null
}

/** Opens the dialog that publishes an export to the site's main channel. Renders nothing once that channel shows it. */
export const PublishButton = ({ row }: { row: PublishedExport }) => {
  const [isOpen, setOpen] = useState(false)
  const found = useMainChannel(row)
  const isViewer = useRefusal('operator') !== null
  if (!found || (isViewer && !found.channel.mayPublish)) return null
  const { site, channel, isShown } = found
  return (
    <>
      {!isShown && (
        <Button
          size="md"
          variant={channel.current ? 'primary' : 'secondary'}
          refused={channel.mayPublish ? null : explainNoPublishing(nameChannel(channel))}
          onClick={() => setOpen(true)}
        >
          Publish
        </Button>
      )}
      {isOpen && (
        <PublishDialog
          site={site}
          channelId={channel.channelId}
          exportId={row.exportId}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

/** What readers of the site see now. */
export const LiveLine = ({ row }: { row: PublishedExport }) => {
  const found = useMainChannel(row)
  if (!found) return null
  const { current } = found.channel
  if (current === null) return 'Nothing is live yet.'
  return (
    <>
      {found.isShown ? 'This export is live: ' : 'Live: '}
      <Link
        to="/sites/$siteId"
        params={{ siteId: found.site.siteId }}
        className="text-accent underline-offset-2 hover:underline"
      >
        release {formatCount(getShownNumber(current))}
      </Link>
      , <Ago at={current.at} />
    </>
  )
}
