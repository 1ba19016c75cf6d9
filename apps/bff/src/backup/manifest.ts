import { z } from 'zod'

/** Number of the layout described here. A restore knows its own and refuses others. */
export const formatNumber = 1

/** First file of a backup. */
export const manifestName = 'manifest.json'

/** Where a table is in a backup: gzip of PostgreSQL's text format of COPY, in the order of the primary key. */
export const tableFile = (name: string): string => `tables/${name}.copy.gz`

/** Where a file of the data folder is in a backup. */
export const dataPrefix = 'data/'

/** One table: its columns in the order of the rows, and what the rows come to. */
export const SavedTable = z.object({
  name: z.string().min(1),
  columns: z.array(z.string()).min(1),
  rows: z.int().nonnegative(),
  /** Of the rows before compression. Hex. */
  sha256: z.string().length(64),
})
export type SavedTable = z.infer<typeof SavedTable>

/** A migration that was applied, by the SHA-256 of its text. */
export const AppliedMigration = z.object({ hash: z.string(), createdAt: z.number() })
export type AppliedMigration = z.infer<typeof AppliedMigration>

/** What a backup says about itself. */
export const Manifest = z.object({
  format: z.literal(formatNumber),
  /** Version of the Docket that wrote it. */
  docket: z.string(),
  /** ISO 8601, UTC. */
  madeAt: z.iso.datetime(),
  postgres: z.string(),
  /** Oldest first. */
  migrations: z.array(AppliedMigration).min(1),
  /** In an order in which no row comes before one it refers to. */
  tables: z.array(SavedTable),
  sequences: z.array(z.object({ name: z.string(), last: z.string(), called: z.boolean() })),
  /** Files of the data folder, relative to it, with `/`. */
  files: z.array(z.object({ path: z.string(), sizeBytes: z.int().nonnegative() })),
})
export type Manifest = z.infer<typeof Manifest>
