import type { Release } from '@docket/api-types/sites'
import { getShownNumber, kindLabels } from '#features/releases/sites/site-labels.ts'
import { formatCount, formatPlural } from '#lib/text/format.ts'
import { Ago } from '#ui/live/ticking.tsx'

type ShownReleaseProps = {
  release: Release | null
  /** Name of the channel, where it says more than *Live*. */
  name?: string | null
}

export const ShownRelease = ({ release, name = null }: ShownReleaseProps) =>
  release === null ? (
    <span className="text-muted">{name && <bdi>{name}: </bdi>}Nothing is live yet</span>
  ) : (
    <span className="wrap-anywhere">
      <span className="font-medium text-text">
        {name ? <bdi>{name}</bdi> : 'Live'}: release {formatCount(getShownNumber(release))}
      </span>
      <span className="text-muted">
        {' · '}
        {formatPlural(release.pages, 'page')}
        {' · '}
        {kindLabels[release.kind].by} <Ago at={release.at} /> by <bdi>{release.by}</bdi>
      </span>
    </span>
  )
