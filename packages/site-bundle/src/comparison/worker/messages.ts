import type { BundlePage } from '#manifest.ts'

export type Side = 'earlier' | 'later'

/** Task of a worker. A page that is missing on one side is null. */
export type Task =
  | { kind: 'sites' }
  | { kind: 'page'; pages: Record<Side, Pick<BundlePage, 'path' | 'sizeBytes'> | null> }

/** Messages of a worker: a read of one of the sites, or its result. */
export type FromWorker =
  | { kind: 'manifest'; id: number; side: Side }
  | { kind: 'read'; id: number; side: Side; path: string; range: { start: number; end: number } | undefined }
  | { kind: 'done'; result: unknown }

/** Answer to a read. */
export type ToWorker = { id: number; value: unknown }
