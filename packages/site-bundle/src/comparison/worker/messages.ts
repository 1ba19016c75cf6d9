import type { BundlePage } from '#manifest.ts'

export type Side = 'earlier' | 'later'

/** Task of a worker. A page that is missing on one side is null. */
export type Task =
  | { kind: 'sites' }
  | { kind: 'page'; pages: Record<Side, Pick<BundlePage, 'path' | 'sizeBytes'> | null> }

export type FromWorker =
  | { kind: 'manifest'; id: number; side: Side }
  | { kind: 'read'; id: number; side: Side; path: string; range: { start: number; end: number } | undefined }
  | { kind: 'done'; result: unknown }

export type ToWorker = { id: number; value: unknown }
