import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { tmpdir } from 'node:os'
import type { DiskLevel, DiskReport } from '@docket/api-types/disks'
import { endsWithin } from '#ground/clock.ts'
import type { Log } from '#ground/log/log.ts'
import type { StoreSettings } from '@docket/artifact-store/bundle-stores'
import type { Config } from '#ground/config/config.ts'
import { findLocalFolder } from '#ground/config/stores.ts'

const listStore = (volume: 'artifacts' | 'backups', store: StoreSettings): WatchedFolders => {
  const folder = findLocalFolder(store)
  return folder === null ? [] : [{ volume, folder }]
}

export const listFolders = ({
  dataDir,
  artifacts,
  backups,
}: Pick<Config, 'dataDir' | 'artifacts' | 'backups'>): WatchedFolders => [
  { volume: 'data', folder: dataDir },
  ...listStore('artifacts', artifacts.store),
  ...(backups === null ? [] : listStore('backups', backups.target)),
  // Checkouts of agent jobs.
  { volume: 'temporary', folder: tmpdir() },
]

/** Space of a folder's volume; `device` is the same for folders on one volume. */
export type ReadSpace = (folder: string) => Promise<Space & { device: number }>

/** Reads the disk space of a folder, or of the nearest existing parent. */
export const readSpace: ReadSpace = async (folder) => {
  try {
    const [{ bavail, bfree, blocks, bsize }, { dev }] = await Promise.all([statfs(folder), stat(folder)])
    // Docket cannot use the space that is reserved for root.
    return { freeBytes: bavail * bsize, totalBytes: (blocks - bfree + bavail) * bsize, device: dev }
  } catch (error) {
    const parent = dirname(folder)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw error
    return readSpace(parent)
  }
}

export type Space = { freeBytes: number; totalBytes: number }

const gibibyte = 1024 ** 3
/** Thresholds: a tenth and a twentieth of the volume, but at most what Docket needs to keep working. */
const limits = {
  low: { share: 0.1, maxBytes: 20 * gibibyte },
  critical: { share: 0.05, maxBytes: 10 * gibibyte },
}
/** A level ends only when free space exceeds its threshold by a fifth, so that it does not flap. */
const margin = 1.2

export const findNextLevel = (before: DiskLevel, { freeBytes, totalBytes }: Space): DiskLevel => {
  const isBelow = (level: 'low' | 'critical', isReached: boolean) => {
    const { share, maxBytes } = limits[level]
    return freeBytes < Math.min(totalBytes * share, maxBytes) * (isReached ? margin : 1)
  }
  if (isBelow('critical', before === 'critical')) return 'critical'
  return isBelow('low', before !== 'fine') ? 'low' : 'fine'
}

type Volume = DiskReport['volumes'][number]
type VolumeName = Volume['volume']

/** Folders that Docket writes to, the most important one first. They need not exist yet. */
export type WatchedFolders = readonly { volume: VolumeName; folder: string }[]

const everyMs = 60_000
/** Older readings are ignored, because the volume no longer answers. */
const staleMs = 5 * 60_000
const maxFirstLookMs = 2_000

const sentences: Readonly<Record<DiskLevel, string>> = {
  fine: 'there is room on the disk again',
  low: 'the disk is filling up; free some space',
  critical:
    'the disk is nearly full, so Docket stores no bundles, and its embedded service starts nothing; free some space',
}

/** Logs each new level. Ignores volumes that report no size, as on some network file systems, or do not answer. */
export const watchDisks = (deps: { folders: WatchedFolders; log: Log; now: () => number; read?: ReadSpace }) => {
  const { folders, log, now, read = readSpace } = deps
  const known = new Map<VolumeName, Space & { device: number; level: DiskLevel; at: number }>()
  const underWay = new Set<VolumeName>()
  let timer: NodeJS.Timeout | undefined

  const lookAt = async ({ volume, folder }: WatchedFolders[number]) => {
    // Calls must not pile up on a network file system that does not answer.
    if (underWay.has(volume)) return
    underWay.add(volume)
    try {
      const space = await read(folder)
      const before = known.get(volume)?.level ?? 'fine'
      if (space.totalBytes <= 0) return void known.delete(volume)
      known.set(volume, { ...space, level: findNextLevel(before, space), at: now() })
    } catch (error) {
      log.debug({ err: error, volume }, 'the free space of a volume is not known')
    } finally {
      underWay.delete(volume)
    }
  }

  /** Volumes with a recent reading, each device once. */
  const list = (): Volume[] => {
    const devices = new Set<number>()
    return folders.flatMap(({ volume }) => {
      const found = known.get(volume)
      if (found === undefined || now() - found.at > staleMs || devices.has(found.device)) return []
      devices.add(found.device)
      return [{ volume, freeBytes: found.freeBytes, totalBytes: found.totalBytes, level: found.level }]
    })
  }

  const logged = new Map<VolumeName, DiskLevel>()
  const look = async () => {
    await Promise.all(folders.map(lookAt))
    for (const { volume, level, freeBytes, totalBytes } of list()) {
      if ((logged.get(volume) ?? 'fine') === level) continue
      logged.set(volume, level)
      const folder = folders.find((watched) => watched.volume === volume)?.folder
      log[level === 'critical' ? 'error' : 'warn']({ volume, folder, freeBytes, totalBytes }, sentences[level])
    }
  }

  return {
    /** Checks once, waiting two seconds at most, and then once a minute. */
    start: async () => {
      timer = setInterval(() => void look(), everyMs).unref()
      await endsWithin(maxFirstLookMs, look())
    },
    stop: () => clearInterval(timer),
    look,
    list,
    /** False while one of these volumes is nearly full. A volume that is unknown or not watched counts as having room. */
    hasRoom: (...volumes: VolumeName[]): boolean => {
      const full = [...known].filter(([, { level, at }]) => level === 'critical' && now() - at <= staleMs)
      return !full.some(([volume]) => volumes.includes(volume))
    },
  }
}

export type Disks = ReturnType<typeof watchDisks>
