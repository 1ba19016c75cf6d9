import type { PublishCheck, PublishChecks } from '@docket/api-types/publish-checks'
import type { Channel, ChannelAccess, Release, ReleaseKind, Site } from '@docket/api-types/sites'
import { capitalize, formatCount, formatPlural, isolateText } from '#lib/text/format.ts'
import type { Tone } from '#ui/marks/state-mark.tsx'

export const replaceChannel = (site: Site, channel: Channel): Site => ({
  ...site,
  channels: site.channels.map((one) => (one.channelId === channel.channelId ? channel : one)),
})

/** Display name of a channel: Docket's own channels begin with a capital. */
export const nameChannel = ({ name }: Pick<Channel, 'name'>): string =>
  name === 'production' || name === 'latest' ? capitalize(name) : name

type Channels = Pick<Site, 'channels' | 'mainChannelId'>

/** Channel that pages call live, or else the first one that the current user may see. */
export const findMainChannel = ({ channels, mainChannelId }: Channels): Channel | undefined =>
  channels.find(({ channelId }) => channelId === mainChannelId) ?? channels[0]

/** Channels to which the current user publishes, the main one first. */
export const findPublishable = (site: Channels): Channel[] => {
  const main = findMainChannel(site)
  return site.channels
    .filter(({ mayPublish, followsExports }) => mayPublish && !followsExports)
    .toSorted((a, b) => Number(b === main) - Number(a === main))
}

/** The site that an export of a domain feeds, at the chosen connection if it has one there. */
export const findSiteOfDomain = (sites: readonly Site[], domain: string, connection: string): Site | undefined => {
  const found = sites.filter(({ feeds }) => feeds.some((feed) => feed.domain === domain))
  return found.find(({ feeds }) => feeds.some(({ connectionId }) => connectionId === connection)) ?? found[0]
}

/** Number that people know a release by: after a rollback, that of the release which readers see again. */
export const getShownNumber = ({ number, rolledBackTo }: Pick<Release, 'number' | 'rolledBackTo'>): number =>
  rolledBackTo ?? number

/** `Release 12`, or `Rolled back to release 7`. */
export const describeRelease = (release: Release): string =>
  `${release.kind === 'rollback' ? 'Rolled back to release' : 'Release'} ${formatCount(getShownNumber(release))}`

export const kindLabels: Record<ReleaseKind, { word: string; by: string }> = {
  publication: { word: 'Published', by: 'published' },
  rollback: { word: 'Rolled back', by: 'rolled back' },
  rule: { word: 'Updated automatically', by: 'updated' },
}

export const accessLabels: Record<ChannelAccess, { word: string; hint: string }> = {
  private: { word: 'Private', hint: 'It has no address.' },
  signed_in: {
    word: 'Signed-in readers',
    hint: 'People who are signed in to Docket and may see this site can open it.',
  },
  public: { word: 'Public', hint: 'Everyone who can reach this Docket can open it.' },
}

/** True when the newest export is the next one to publish. An export that somebody rolled back from is not. */
export const isNewerWaiting = (
  newest: { sha256: string; exportedAt: string } | null,
  current: Pick<Release, 'sha256' | 'rolledBackTo' | 'at'> | null,
): boolean =>
  newest !== null &&
  newest.sha256 !== current?.sha256 &&
  !(current !== null && current.rolledBackTo !== null && newest.exportedAt <= current.at)

/** Pages that change for readers: `2 pages added, 1 changed`; null while unknown. */
export const describePageChange = (change: PublishChecks['change']): string | null => {
  if (change === null) return null
  const { added, removed, changed, moved } = change
  const counts = Object.entries({ changed, added, removed, moved }).filter(([, count]) => count > 0)
  return (
    counts
      .map(([word, count], nth) => `${nth === 0 ? formatPlural(count, 'page') : formatCount(count)} ${word}`)
      .join(', ') || 'no page changed'
  )
}

export const conditionLabels: Record<PublishCheck['condition'], string> = {
  finished_check: 'Check finished',
  new_breaks: 'No new broken links',
  new_leaks: 'No new outside requests',
  fewer_pages: 'Number of pages',
  size: 'Size',
  same_search: 'Search works as before',
  approvals: 'Approvals',
}

export const checkStates: Record<PublishCheck['state'], { tone: Tone; word: string }> = {
  passed: { tone: 'done', word: 'Passed' },
  failed: { tone: 'failed', word: 'Failed' },
  off: { tone: 'idle', word: 'Off' },
}

/** How many checks failed or, when none did, how many passed: `5 passed`. */
export const countChecks = (checks: readonly PublishCheck[]): string => {
  const count = (wanted: PublishCheck['state']) => checks.filter(({ state }) => state === wanted).length
  const failed = count('failed')
  return failed > 0 ? `${formatCount(failed)} failed` : `${formatCount(count('passed'))} passed`
}

export const explainPublishing = (publishChecks: PublishChecks, name: string): string | null => {
  if (publishChecks.isShown) return 'This export is live already.'
  if (!publishChecks.mayPublish) return explainNoPublishing(name)
  if (publishChecks.passed) return null
  if (
    !publishChecks.mayOverride &&
    publishChecks.checks.some(({ condition, state }) => condition === 'approvals' && state === 'failed')
  )
    return 'Others must approve this bundle first.'
  return publishChecks.mayOverride
    ? 'A check failed. Publish anyway and say why.'
    : 'A check failed. Admins, and people who have a grant for this channel, may publish anyway.'
}

export const explainNoPublishing = (name: string): string => `You may not publish to ${name}. Ask an admin for access.`

export const describeMeanwhileChanges = (seen: Channel, now: Channel): string | null => {
  if (seen.version === now.version) return null
  const name = nameChannel(now)
  const { current, pinned } = now
  if (current && current.releaseId !== seen.current?.releaseId)
    return `Release ${formatCount(getShownNumber(current))} is live in ${name} now, ${kindLabels[current.kind].by} by ${isolateText(current.by)} meanwhile.`
  if (pinned && seen.pinned === null) return `${isolateText(pinned.by)} held ${name} meanwhile.`
  return pinned === null && seen.pinned !== null
    ? `Somebody resumed the updates of ${name} meanwhile.`
    : `Somebody changed the settings of ${name} meanwhile.`
}

/**
 * Release that a rollback goes to, as the server finds it: the newest held one before the current one with other bytes. A rollback counts with
 * the place of the release that it rolled back to. `releases`: the newest first. Null if there is none.
 */
export const findEarlierRelease = (releases: readonly Release[], current: Release): Release | null => {
  const before = releases.filter(({ number }) => number < current.number)
  const origin = current.kind === 'rollback' ? before.find(({ sha256 }) => sha256 === current.sha256) : undefined
  if (origin !== undefined) return findEarlierRelease(before, origin)
  return before.find(({ sha256, isHeld }) => sha256 !== current.sha256 && isHeld) ?? null
}
