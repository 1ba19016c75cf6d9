import type { DiskReport } from '@docket/api-types/disks'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { get } from '#lib/api/api.ts'
import { permissions } from '#lib/people/permissions.ts'
import { formatBytes } from '#lib/text/format.ts'
import { Link } from '#ui/links/link.tsx'
import { usePaused } from '#ui/live/ticking.tsx'
import { Notice } from '#ui/messages/notice.tsx'

type Volume = DiskReport['volumes'][number]

const everyMs = 60_000

const disksQuery = (enabled: boolean) =>
  queryOptions({
    queryKey: ['disks'],
    queryFn: ({ signal }) => get('/api/disks', { signal }),
    refetchInterval: enabled && everyMs,
    staleTime: everyMs,
    enabled,
  })

const names: Record<Volume['volume'], string> = {
  data: 'Docket’s data',
  artifacts: 'the saved bundles',
  backups: 'the backups',
  temporary: 'temporary files',
}

const paused: Record<Volume['volume'], string> = {
  data: 'Docket saves no bundles, makes no backups and starts nothing on this machine until there is room.',
  artifacts: 'Docket saves no bundles until there is room.',
  backups: 'Docket makes no backups until there is room.',
  temporary: 'Docket starts nothing on this machine until there is room.',
}

const DiskTroubleNotice = ({ volume, freeBytes, totalBytes, level }: Volume) => {
  const isCritical = level === 'critical'
  return (
    <Notice
      tone={isCritical ? 'failed' : 'attention'}
      role="status"
      title={isCritical ? 'The disk is nearly full' : 'The disk is filling up'}
    >
      {`${formatBytes(freeBytes)} of ${formatBytes(totalBytes)} are free on the disk of ${names[volume]}. `}
      {isCritical && `${paused[volume]} `}
      Enlarge the disk, or free some space:{' '}
      <Link to="/settings/storage" className="text-accent hover:underline">
        delete saved bundles
      </Link>{' '}
      that nobody needs.
    </Notice>
  )
}

export const DiskNotice = () => {
  const isAdmin = useSyncExternalStore(permissions.subscribe, permissions.get) === 'admin'
  const isPaused = usePaused()
  const { data } = useQuery(disksQuery(isAdmin && !isPaused))
  if (!isAdmin || data === undefined) return null
  return data.volumes
    .filter(({ level }) => level !== 'fine')
    .map((volume) => <DiskTroubleNotice key={volume.volume} {...volume} />)
}
