import { stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { checkOut } from '#git/git-checkout.ts'
import { openGitSnapshots, type Pin } from '#git/git-snapshots.ts'
import type { OrderedSource, SiteSource } from './site-source.ts'

/** A git source, pinned to the commit that every attempt of an export reads. */
export type PinnedSource = Pin & { folder: string }

export const createSiteSources = (folder: string, privateNetworks: readonly string[]) => {
  const snapshots = openGitSnapshots(folder)
  const orderPinned = async (pin: PinnedSource, source: SiteSource): Promise<OrderedSource> => {
    const { commit, repository, folder: inside } = pin
    const gitDir = await snapshots.fetch(pin)
    return { kind: 'git', gitDir, commit, repository, folder: inside, ...('render' in source && { render: true }) }
  }
  const pinNow = async (source: SiteSource) =>
    source.kind === 'git' ? { ...(await snapshots.pin(source)), folder: source.folder } : null
  return {
    /** Pins the commit of a new export; null for other sources. Rejects with `RepositoryUnavailable`. */
    pin: pinNow,
    /** Returns the source as a worker reads it, and fetches a git repository for it. Rejects with a readable error. */
    order: async (source: SiteSource, pin: PinnedSource | null, staging: string): Promise<OrderedSource> => {
      if (pin !== null) return orderPinned(pin, source)
      if (source.kind === 'folder') {
        await assertFolder(source.folder)
        return source
      }
      if (source.kind === 'mirror') return { kind: 'mirror', url: source.url, staging, privateNetworks }
      return orderPinned((await pinNow(source))!, source)
    },
    /** Returns a folder on this machine with the files of a source. Files of a git repository are copied into `copy`. */
    openFolder: async (source: SiteSource, pin: PinnedSource | null, copy: string) => {
      if (source.kind === 'folder') return source.folder
      if (pin === null) throw new TypeError('Only folders and pinned commits are on this machine.')
      await checkOut({ ...pin, gitDir: await snapshots.fetch(pin), target: copy })
      return join(copy, pin.folder)
    },
    keepOnly: (pins: readonly PinnedSource[]) => snapshots.keepOnly(pins),
    close: () => snapshots.close(),
  }
}

/** Every machine that exports the site must have this folder. */
const assertFolder = async (folder: string) => {
  const found = await stat(folder).catch(() => null)
  if (found?.isDirectory() !== true)
    throw new Error(`The folder ${folder} of the site is missing on the machine ${hostname()}`)
}

export type SiteSources = ReturnType<typeof createSiteSources>
