import type { Git } from '@docket/sources/git/git'

/** One task: a prompt, and the files to change. */
export type Work = {
  prompt: string
  /** The checkout: plain files without anything of git among them. Absolute path. */
  checkout: string
  /** Work folder around the checkout; only this turn uses it, and it is removed afterwards. */
  scratch: string
  /** Repository of the checkout and the commit it shows, for reading its history. */
  repository: { gitDir: string; git: Git; commit: string }
  /** Folder of the project inside the checkout; empty for the whole checkout. */
  folder: string
}

/** Works on agent jobs. */
export type Runner = {
  /** Model that the Admin API reports (§2.1). */
  model: string
  /**
   * Changes files of the checkout and resolves with lines for the report. Rejects with a sentence for the reader, also when `signal`
   * aborts. Leaves no process running.
   */
  run(work: Work, signal: AbortSignal): Promise<string[]>
}

/** A failure with a report of several sentences for the reader, the reason first. */
export class RunFailed extends Error {
  readonly report: string[]
  constructor(report: string[]) {
    super(report[0])
    this.report = report
  }
}
