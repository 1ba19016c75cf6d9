import { z } from 'zod'

/** Version of this layout. A restore refuses others. */
export const formatNumber = 1

export const manifestName = 'manifest.json'

/** Name of a table's file: gzip of PostgreSQL's COPY text format, in the order of the primary key. */
export const nameTableFile = (name: string): string => `tables/${name}.copy.gz`

export const dataPrefix = 'data/'

export const SavedTable = z.object({
  name: z.string().min(1),
  columns: z.array(z.string()).min(1),
  rows: z.int().nonnegative(),
  /** Hash of the rows before compression. Hex. */
  sha256: z.string().length(64),
})
export type SavedTable = z.infer<typeof SavedTable>

/** An applied migration, by the SHA-256 of its text. */
export const AppliedMigration = z.object({ hash: z.string(), createdAt: z.number() })
export type AppliedMigration = z.infer<typeof AppliedMigration>

/** The store of bundles: its marker, which is null before first use, and the settings that locate it, without keys. */
export const SavedStore = z.object({
  id: z.string().nullable(),
  settings: z.record(z.string(), z.string()),
})

export const Manifest = z.object({
  format: z.literal(formatNumber),
  docket: z.string(),
  /** ISO 8601, UTC. */
  madeAt: z.iso.datetime(),
  postgres: z.string(),
  /** Oldest first. */
  migrations: z.array(AppliedMigration).min(1),
  /** Migrations of the embedded service. A backup made by Docket 1.0 has none. */
  embeddedMigrations: z.array(AppliedMigration).default([]),
  /** Ordered so that each row follows the rows that it refers to. */
  tables: z.array(SavedTable),
  sequences: z.array(z.object({ name: z.string(), last: z.string(), called: z.boolean() })),
  /** Files of the data folder, relative to it, with `/`. */
  files: z.array(z.object({ path: z.string(), sizeBytes: z.int().nonnegative() })),
  /** Missing in a backup made by Docket 1.0. */
  store: SavedStore.nullable().default(null),
})
export type Manifest = z.infer<typeof Manifest>

/** A refused backup or restore. The message tells the operator what to do. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}
