import { tmpdir } from 'node:os'
import type { Config } from '#ground/config/config.ts'
import type { WatchedFolders } from './watch-disks.ts'

/** Folders of this machine that Docket writes much to. */
export const listFolders = ({
  dataDir,
  artifacts,
  backups,
}: Pick<Config, 'dataDir' | 'artifacts' | 'backups'>): WatchedFolders => [
  { volume: 'data', folder: dataDir },
  ...(artifacts.s3 === null ? [{ volume: 'artifacts' as const, folder: artifacts.folder }] : []),
  ...(backups !== null && 'folder' in backups.target
    ? [{ volume: 'backups' as const, folder: backups.target.folder }]
    : []),
  // Checkouts of agent jobs.
  { volume: 'temporary', folder: tmpdir() },
]
