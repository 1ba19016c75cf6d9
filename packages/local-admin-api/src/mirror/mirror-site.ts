import type { Lookup } from '#mirror/http/guarded-agent.ts'
import type { MirrorLimits } from '#mirror/mirror-limits.ts'

/** A documentation site to read. */
export type MirrorOrder = {
  /** Address of the site; of what it holds, pages below this address are read. */
  url: string
  /** Folder that the pages are written to; emptied first. */
  staging: string
  /** Private addresses and networks that the site may be at. */
  privateNetworks: readonly string[]
  signal?: AbortSignal
  /** Other limits and another way to find addresses, in tests. */
  limits?: Partial<MirrorLimits>
  lookup?: Lookup
}

/** What was read. `folder` is a source like any folder; `leftOut` are the addresses that are not in it, to be reported. */
export type MirroredSite = { folder: string; pages: number; leftOut: { file: string; reason: string }[] }

/**
 * Reads a documentation site over HTTP into a folder. `onPage` is told of every page, and at least every ten seconds. Rejects with a
 * reason a person can act on when the site cannot be read at all.
 */
export const mirrorSite = (
  _order: MirrorOrder,
  _onPage: (read: number, found: number) => Promise<void> | void,
): Promise<MirroredSite> => Promise.reject(new Error('Mirroring is not there yet'))
