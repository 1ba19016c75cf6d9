import type { Finding } from '@docket/site-bundle/report'

/** What Docket reads of a bundle, or why it refuses it. */
export type Analysis =
  | {
      outcome: 'read'
      ending: string
      contentBytes: number
      files: number
      pages: number
      /** Null when the check finished; else why not. */
      checkUnfinished: string | null
      findings: Pick<Finding, 'fingerprint' | 'level'>[]
    }
  | { outcome: 'refused'; reason: 'not_an_archive' | 'too_large' | 'refused'; sentence: string }

/** Reads a bundle in a process with limits. Writes `site.zip`, `manifest.json.gz` and `report.json.gz` into `folder`. */
export type AnalyseBundle = (
  options: { file: string; folder: string },
  watch: { onProgress: (phase: 'reading' | 'checking', done: number, total: number | null) => void },
  signal: AbortSignal,
) => Promise<Analysis>
