import { stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { checkOut } from '#git/git-checkout.ts'
import { openGitSnapshots, type Pin } from '#git/git-snapshots.ts'
import type { ArchiveSource, OrderedSource, RenderedSource, SiteSource } from './site-source.ts'

/** A git source, pinned to the commit that every attempt of an export reads. */
export type PinnedSource = Pin & { folder: string }

export const createSiteSources = (folder: string, privateNetworks: readonly string[]) => {
  const snapshots = openGitSnapshots(folder)
  const orderPinned = async (pin: PinnedSource, source: RenderedSource) => {
    const { commit, repository, folder: inside } = pin
    const gitDir = await snapshots.fetch(pin)
    const render = 'render' in source && { render: true as const }
    return { kind: 'git' as const, gitDir, commit, repository, folder: inside, ...render }
  }
  const pinNow = async (source: RenderedSource | ArchiveSource) =>
    source.kind === 'git' ? { ...(await snapshots.pin(source)), folder: source.folder } : null
  const orderOne = async (source: RenderedSource, pin: PinnedSource | null, staging: string) => {
    if (pin !== null) return orderPinned(pin, source)
    if (source.kind === 'mirror') return { kind: 'mirror' as const, url: source.url, staging, privateNetworks }
    if (source.kind === 'git') return orderPinned((await pinNow(source))!, source)
    await assertFolder(source.folder)
    return source
  }
  return {
    /** Pins the commit of a new export; null for other sources. Rejects with `RepositoryUnavailable`. */
    pin: (source: SiteSource) => pinNow(getOrigin(source)),
    /** Returns the source as a worker reads it, and fetches a git repository for it. Rejects with a readable error. */
    order: async (source: SiteSource, pin: PinnedSource | null, staging: string): Promise<OrderedSource> => {
      if (source.kind !== 'built') return orderOne(source, pin, staging)
      const { of } = source
      return {
        kind: 'built',
        of: of.kind === 'archive' ? { ...of, privateNetworks } : await orderOne(of, pin, staging),
      }
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

const getOrigin = (source: SiteSource) => (source.kind === 'built' ? source.of : source)

/** Every machine that exports the site must have this folder. */
const assertFolder = async (folder: string) => {
  const found = await stat(folder).catch(() => null)
  if (found?.isDirectory() !== true)
    throw new Error(`The folder ${folder} of the site is missing on the machine ${hostname()}`)
}

export type SiteSources = ReturnType<typeof createSiteSources>
