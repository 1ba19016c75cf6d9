import type { Bounds } from '#bounds.ts'

export type ArchiveFile = {
  /** Normalised path: relative, with `/`; never leads out of the archive, and never twice. */
  path: string
  sizeBytes: number
  /** Exactly `sizeBytes`, or it fails. Readable once, until `onFile` resolves; left alone, it is skipped. */
  content: AsyncIterable<Uint8Array>
  /** Bytes of the archive read so far, about. */
  archiveBytes: number
}

/** An archive that was read to its end. */
export type ArchiveContent = { ending: '.tar.gz' | '.tar' | '.zip'; files: number; contentBytes: number }

export type ArchiveReading = { file: string; sizeBytes: number; bounds: Bounds; signal: AbortSignal | undefined }

export type OnFile = (file: ArchiveFile) => Promise<void>
