import type { Channel, Site } from '@docket/api-types/sites'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Globe, Rocket, Undo2 } from 'lucide-react'
import { findRollBack } from '#features/releases/sites/channels/find-roll-back.ts'
import { PublishDialog, RollBackDialog } from '#features/releases/sites/lazy-dialogs.ts'
import { explainNoPublishing, findMainChannel, nameChannel } from '#features/releases/sites/site-labels.ts'
import { sitesQuery } from '#features/releases/sites/sites.queries.ts'
import type { PaletteCommand } from './palette-commands.tsx'
import { isSiteVerb, type PaletteRequest } from './palette-request.ts'

const explainNone = (site: Site, channel: Channel, verb: 'publish' | 'roll back'): string | null => {
  if (!channel.mayPublish) return explainNoPublishing(nameChannel(channel))
  if (verb === 'publish' && channel.followsExports) return `${nameChannel(channel)} moves by itself.`
  if (verb === 'publish') return site.newest === null ? 'It has no export to publish.' : null
  return channel.current === null ? 'Nothing is live yet.' : null
}

/** Finds sites, and publishes or rolls one back on request. */
export const useSiteCommands = ({ verb }: PaletteRequest, onClose: () => void): PaletteCommand[] => {
  const navigate = useNavigate()
  const client = useQueryClient()
  const { data } = useQuery(sitesQuery(true))
  const askToRollBack = async ({ siteId }: Site) => {
    const found = await findRollBack(client, siteId)
    return found && <RollBackDialog {...found} onClose={onClose} />
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
    const { channelId } = channel
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
            ask: () => askToRollBack(site),
          },
        ]
  })
}
