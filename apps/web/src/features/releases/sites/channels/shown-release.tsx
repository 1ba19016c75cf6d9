import type { Release } from '@docket/api-types/sites'
import { formatCount, formatPlural } from '#lib/text/format.ts'
import { Ago } from '#ui/live/ticking.tsx'
import { kindLabels } from '#features/releases/sites/site-labels.ts'

export const ShownRelease = ({ release }: { release: Release | null }) =>
  release === null ? (
    <span className="text-muted">Nothing is live yet</span>
  ) : (
    <span className="wrap-anywhere">
      <span className="font-medium">Live: release {formatCount(release.number)}</span>
      <span className="text-muted">
        {' · '}
        {formatPlural(release.pages, 'page')}
        {' · '}
        {kindLabels[release.kind].by} <Ago at={release.at} /> by <bdi>{release.by}</bdi>
      </span>
    </span>
  )
