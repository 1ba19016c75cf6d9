import type { Channel, Site } from '@docket/api-types/sites'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#ui/buttons/button.tsx'
import { Link } from '#ui/links/link.tsx'
import { lazyDialog } from '#ui/overlays/lazy.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Ago } from '#ui/live/ticking.tsx'
import { usePaused } from '#ui/live/use-paused.ts'
import { AddressLink } from './address-link.tsx'
import { explainNoPublishing, findMainChannel, nameChannel } from './site-labels.ts'
import { exportSiteQuery, siteArtifactsQuery } from './sites.queries.ts'

const PublishDialog = lazyDialog(async () => (await import('./publish/publish-dialog.tsx')).PublishDialog)

type PublishedExport = { exportId: string; artifact?: { sha256: string | null } | null | undefined }

const useMainChannel = ({ exportId, artifact }: PublishedExport) => {
  const { data: site } = useQuery(exportSiteQuery(exportId, usePaused()))
  const channel = site && findMainChannel(site)
  const isShown = channel?.current?.exportId === exportId || channel?.current?.sha256 === artifact?.sha256
  return site && channel ? { site, channel, isShown } : null
}

/** Opens the dialog that publishes an export to the site's main channel. Renders nothing once that channel shows it. */
export const PublishButton = ({ row }: { row: PublishedExport }) => {
  const [isOpen, setOpen] = useState(false)
  const found = useMainChannel(row)
  if (!found) return null
  const { site, channel, isShown } = found
  return (
    <>
      {!isShown && (
        <Button
          size="md"
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

const OtherExport = ({ site, channel }: { site: Site; channel: Channel }) => {
  const { current } = channel
  const { data } = useQuery({ ...siteArtifactsQuery(site.siteId), enabled: current !== null })
  if (current === null) return 'Nothing is live yet.'
  const shown = data?.artifacts.find(({ exportId }) => exportId === current.exportId)
  return shown ? (
    <>
      Live: the export from <Ago at={shown.exportedAt} />
    </>
  ) : (
    'Another export is live.'
  )
}

export const PublishingPanel = ({ row }: { row: PublishedExport }) => {
  const found = useMainChannel(row)
  if (!found) return null
  const { site, channel, isShown } = found
  return (
    <Panel
      title="Live"
      action={
        <Link
          to="/sites/$siteId"
          params={{ siteId: site.siteId }}
          className="inline-flex min-h-6 items-center text-sm text-accent underline-offset-2 hover:underline"
        >
          Open site page
        </Link>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1 text-sm">
        <p>{isShown ? 'This export is live.' : <OtherExport site={site} channel={channel} />}</p>
        {channel.current && (
          <p className="empty:hidden">
            <AddressLink channel={channel} />
          </p>
        )}
      </div>
    </Panel>
  )
}
