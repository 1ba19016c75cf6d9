import type { Git } from '@docket/sources/git/git'

/** One piece of work: a prompt, and the files to do it on. */
export type Work = {
  prompt: string
  /** The checkout: plain files without anything of git among them. Absolute path. */
  checkout: string
  /** Work folder around the checkout; only this turn uses it, and it is removed afterwards. */
  scratch: string
  /** Repository of the checkout and the commit it shows, for reading its history. */
  repository: { gitDir: string; git: Git; commit: string }
  /** Project's folder inside the checkout; empty for all of it. */
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

/** Failed work with more to say than one sentence; `report` is for the reader, the reason first. */
export class RunFailed extends Error {
  readonly report: string[]
  constructor(report: string[]) {
    super(report[0])
    this.report = report
  }
}
