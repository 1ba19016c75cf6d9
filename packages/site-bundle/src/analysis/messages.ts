import type { Bounds } from '#bounds.ts'
import type { Manifest } from '#manifest.ts'
import type { Finding } from '#report.ts'

/** Order to the process that reads a bundle. Sent once. */
export type AnalysisOrder = { file: string; folder: string; bounds: Bounds }

export type ReadBundle = Pick<Manifest, 'ending' | 'sizeBytes' | 'contentBytes'> & {
  files: number
  pages: number
  /** Null when the check finished; else why not. */
  checkUnfinished: string | null
  findings: Finding[]
}

/** Reading of the archive, in bytes of it, and the check, in pages. */
export type AnalysisPhase = 'reading' | 'checking'

/** Messages of that process. `read`: the files are written, and the check begins. */
export type AnalysisMessage =
  | { kind: 'progress'; phase: AnalysisPhase; done: number; total: number }
  | { kind: 'read'; bundle: ReadBundle }
  | { kind: 'checked'; bundle: ReadBundle }
  | { kind: 'refused'; reason: 'not_an_archive' | 'too_large' | 'refused'; sentence: string }
  /** The machine's fault, not the bundle's. */
  | { kind: 'failed'; code: string | null; message: string }
