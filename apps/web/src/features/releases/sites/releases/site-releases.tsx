import type { Channel, Release, Site } from '@docket/api-types/sites'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RollBackDialog } from '#features/releases/sites/channels/roll-back-dialog.tsx'
import { PublishChecklist } from '#features/releases/sites/publish-checks/checklist.tsx'
import {
  countChecks,
  describeRelease,
  getShownNumber,
  kindLabels,
  nameChannel,
} from '#features/releases/sites/site-labels.ts'
import { siteReleasesQuery } from '#features/releases/sites/sites.queries.ts'
import { useSeesExports } from '#features/releases/sites/use-sees-exports.ts'
import { formatBytes, formatCount, formatPlural, revealHiddenCharacters } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Loading, ReadState } from '#ui/layout/page.tsx'
import { Link } from '#ui/links/link.tsx'
import { LoadMore } from '#ui/list/load-more.tsx'
import { Instant } from '#ui/live/ticking.tsx'
import { StateLabel } from '#ui/marks/state-mark.tsx'

type ReleaseItemProps = {
  channel: Channel
  /** It is the channel that pages call live. */
  isMain: boolean
  /** The site has no other channel. */
  isOnly: boolean
  release: Release
  /** Previous release of the channel; null for the first release, or when unknown. */
  before: Release | null
  seesExports: boolean
  onAgain: () => void
}

const link = 'inline-flex min-h-6 items-center text-accent hover:underline'

const ReleaseChecks = ({ release: { checks, overrideReason } }: Pick<ReleaseItemProps, 'release'>) => {
  return (
    <>
      {overrideReason !== null && (
        <p className="wrap-anywhere">
          <span className="font-medium text-attention">Published although a check failed:</span>{' '}
          <bdi>{revealHiddenCharacters(overrideReason)}</bdi>
        </p>
      )}
      {checks.length > 0 && (
        <details>
          <summary className="flex min-h-6 w-fit cursor-pointer items-center text-muted hover:text-text">
            Checks before publishing · {countChecks(checks)}
          </summary>
          <div className="mt-1.5">
            <PublishChecklist checks={checks} />
          </div>
        </details>
      )}
    </>
  )
}

const ReleaseItem = ({ channel, isMain, isOnly, release, before, seesExports, onAgain }: ReleaseItemProps) => {
  const { number, kind, at, by, pages, sizeBytes, note, isHeld, isMissing, isListed, exportId, sha256 } = release
  const isCurrent = channel.current?.releaseId === release.releaseId
  const isAgain = channel.current?.sha256 === sha256
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1 px-4 py-3 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h3 className="flex min-h-8 flex-wrap items-center gap-x-2.5 font-semibold">
          {describeRelease(release)}
          <span className="font-normal text-muted">
            {kind !== 'rollback' && kindLabels[kind].word}
            {!isOnly && ` in ${nameChannel(channel)}`}
          </span>
          {isCurrent && (
            <StateLabel tone={isMain ? 'done' : 'idle'}>
              {isMain ? 'Live' : `Live in ${nameChannel(channel)}`}
            </StateLabel>
          )}
        </h3>
        {isHeld && !isAgain && channel.mayPublish && (
          <Button onClick={onAgain}>
            Publish again
            <span className="sr-only">
              {' '}
              in {nameChannel(channel)}, release {formatCount(getShownNumber(release))}
            </span>
          </Button>
        )}
      </div>
      <p className="text-muted wrap-anywhere">
        <bdi className="text-text">{by}</bdi>, <Instant at={at} /> · {formatPlural(pages, 'page')} ·{' '}
        {formatBytes(sizeBytes)} · SHA-256{' '}
        <code className="font-mono text-xs" title={sha256}>
          {sha256.slice(0, 12)}
        </code>
      </p>
      {note && (
        <p className="wrap-anywhere whitespace-pre-line">
          <bdi>{revealHiddenCharacters(note)}</bdi>
        </p>
      )}
      <ReleaseChecks release={release} />
      {isMissing === true && <p className="font-medium text-failed">Its bundle is missing from the store.</p>}
      {!isHeld && !isCurrent && isMissing !== true && (
        <p className="text-muted">{nameChannel(channel)} can no longer roll back to it. Its bundle may be gone.</p>
      )}
      {seesExports && isListed && (
        <p className="flex flex-wrap gap-x-4">
          <Link to="/exports/$exportId" params={{ exportId }} className={link}>
            Export<span className="sr-only"> of release {formatCount(number)}</span>
          </Link>
          {before?.isListed && before.sha256 !== sha256 && (
            <Link
              to="/exports/$exportId/changes"
              params={{ exportId }}
              search={{ against: before.exportId }}
              className={link}
            >
              Compare with release {formatCount(getShownNumber(before))}
            </Link>
          )}
        </p>
      )}
    </li>
  )
}

/** What the channels of a site showed, in one history. */
export const SiteReleases = ({ site }: { site: Site }) => {
  const query = useInfiniteQuery(siteReleasesQuery(site.siteId))
  const { data } = query
  const [again, setAgain] = useState<{ channel: Channel; release: Release } | null>(null)
  const seesExports = useSeesExports(site)
  const releases = data?.pages.flatMap((page) => page.releases)
  return (
    <section aria-label="Releases">
      <ReadState query={query} waiting={<Loading label="Loading releases" lines={['h-40 w-full']} />} />
      {releases?.length === 0 && (
        <p className="panel px-4 py-8 text-center text-sm text-muted">
          No release yet. Publish an export to show it to readers.
        </p>
      )}
      {releases && releases.length > 0 && (
        <ul className="panel divide-y divide-line">
          {releases.map((release, nth) => {
            const { channelId, releaseId } = release
            const channel = site.channels.find((one) => one.channelId === channelId)
            return (
              channel && (
                <ReleaseItem
                  key={releaseId}
                  channel={channel}
                  isMain={channelId === site.mainChannelId}
                  isOnly={site.channels.length === 1}
                  release={release}
                  before={releases.slice(nth + 1).find((one) => one.channelId === channelId) ?? null}
                  seesExports={seesExports}
                  onAgain={() => setAgain({ channel, release })}
                />
              )
            )
          })}
        </ul>
      )}
      <LoadMore query={query} />
      {again && <RollBackDialog site={site} {...again} onClose={() => setAgain(null)} />}
    </section>
  )
}
