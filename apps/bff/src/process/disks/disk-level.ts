import type { DiskLevel } from '@docket/api-types/disks'

/** Free and usable bytes of a volume. */
export type Space = { freeBytes: number; totalBytes: number }

const gibibyte = 1024 ** 3
/** A tenth and a twentieth of the volume, but of a large one no more than Docket needs to go on. */
const limits = {
  low: { share: 0.1, maxBytes: 20 * gibibyte },
  critical: { share: 0.05, maxBytes: 10 * gibibyte },
}
/** A level ends only when there is a fifth more room than where it began, so that it does not flap. */
const margin = 1.2

/** Level of a volume, given the one before. */
export const nextLevel = (before: DiskLevel, { freeBytes, totalBytes }: Space): DiskLevel => {
  const isBelow = (level: 'low' | 'critical', isReached: boolean) => {
    const { share, maxBytes } = limits[level]
    return freeBytes < Math.min(totalBytes * share, maxBytes) * (isReached ? margin : 1)
  }
  if (isBelow('critical', before === 'critical')) return 'critical'
  return isBelow('low', before !== 'fine') ? 'low' : 'fine'
}
