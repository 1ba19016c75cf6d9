import type { Channel, Site } from '@docket/api-types/sites'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Globe, Rocket, Undo2 } from 'lucide-react'
import {
  explainNoPublishing,
  findEarlierRelease,
  findMainChannel,
  nameChannel,
} from '#features/releases/sites/site-labels.ts'
import { releasesQuery, sitesQuery } from '#features/releases/sites/sites.queries.ts'
import { toast, toastFailure } from '#ui/messages/toast.ts'
import { lazyDialog } from '#ui/overlays/lazy.tsx'
import type { PaletteCommand } from './palette-commands.tsx'
import { isSiteVerb, type PaletteRequest } from './palette-request.ts'

const PublishDialog = lazyDialog(
  async () => (await import('#features/releases/sites/publish/publish-dialog.tsx')).PublishDialog,
)
const RollBackDialog = lazyDialog(
  async () => (await import('#features/releases/sites/channels/roll-back-dialog.tsx')).RollBackDialog,
)

const explainNone = (site: Site, channel: Channel, verb: 'publish' | 'roll back'): string | null => {
  if (!channel.mayPublish) return explainNoPublishing(nameChannel(channel))
  if (verb === 'publish') return site.newest === null ? 'It has no export to publish.' : null
  return channel.current === null ? 'Nothing is live yet.' : null
}

/** Finds sites, and publishes or rolls one back on request. */
export const useSiteCommands = ({ verb }: PaletteRequest, onClose: () => void): PaletteCommand[] => {
  const navigate = useNavigate()
  const client = useQueryClient()
  const { data } = useQuery(sitesQuery(true))
  const askToRollBack = async (site: Site, channel: Channel, current: NonNullable<Channel['current']>) => {
    try {
      const { pages } = await client.fetchInfiniteQuery(releasesQuery(site.siteId, channel.channelId))
      const release = findEarlierRelease(
        pages.flatMap((page) => page.releases),
        current,
      )
      if (release) return <RollBackDialog {...{ site, channel, release, onClose }} />
      toast('There is no earlier release to roll back to.')
    } catch (error) {
      toastFailure('Could not read the releases.')(error)
    }
    return null
  }
  return (data?.sites ?? []).flatMap((site): PaletteCommand[] => {
    const { siteId, name, feeds } = site
    const channel = findMainChannel(site)
    const shared = {
      id: `${verb} ${siteId}`,
      words: `site ${feeds.map(({ domain }) => domain).join(' ')}`,
      onlyFound: true,
    }
    if (verb === null)
      return [{ ...shared, name, icon: Globe, run: () => navigate({ to: '/sites/$siteId', params: { siteId } }) }]
    if (channel === undefined || !isSiteVerb(verb)) return []
    const refused = explainNone(site, channel, verb)
    const { channelId, current } = channel
    return verb === 'publish'
      ? [
          {
            ...shared,
            name: `Publish ${name}`,
            icon: Rocket,
            refused,
            ask: () => <PublishDialog {...{ site, channelId, onClose }} />,
          },
        ]
      : [
          {
            ...shared,
            name: `Roll back ${name}`,
            icon: Undo2,
            refused,
            ask: () => current && askToRollBack(site, channel, current),
          },
        ]
  })
}
