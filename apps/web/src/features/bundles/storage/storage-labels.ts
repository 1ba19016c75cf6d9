import type { StorageReport, StoredBundle } from '@docket/api-types/storage'
import { formatBytes, formatPlural, formatUntil } from '#lib/text/format.ts'

export const storeNames: Record<StorageReport['store'], string> = {
  local: 'Disk of this server',
  s3: 'S3',
  none: 'None',
}

export const describeNextCleanUp = ({ at, bundles, bytes }: StorageReport['next'], nowMs: number): string =>
  `${formatUntil(at, nowMs)}: ${bundles === 0 ? 'nothing to delete' : `${formatPlural(bundles, 'bundle')}, frees ${formatBytes(bytes)}`}`

export const describeRetention = ({ perSite, days }: StorageReport['retention']): string =>
  `The newest ${formatPlural(perSite, 'bundle')} of each site ${perSite === 1 ? 'is' : 'are'} kept. Docket deletes older ones ${formatPlural(days, 'day')} after it saved them.`

export const isKeptBundle = ({ exports }: StoredBundle): boolean => exports.some(({ kept }) => kept)

export const isAdoptedBundle = ({ exports, heldBy = [] }: StoredBundle): boolean => exports.length + heldBy.length === 0

export const listDomains = ({ exports }: StoredBundle): string[] => [...new Set(exports.map(({ domain }) => domain))]
