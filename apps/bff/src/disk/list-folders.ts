import { tmpdir } from 'node:os'
import type { Config } from '#config/config.ts'
import type { WatchedFolders } from './watch-disks.ts'

/** Folders of this machine that Docket writes much to. */
export const listFolders = ({ dataDir, artifacts }: Pick<Config, 'dataDir' | 'artifacts'>): WatchedFolders => [
  { volume: 'data', folder: dataDir },
  ...(artifacts.s3 === null ? [{ volume: 'artifacts' as const, folder: artifacts.folder }] : []),
  // Checkouts of agent jobs.
  { volume: 'temporary', folder: tmpdir() },
]
