import type { Git } from '@docket/sources/git/git'

export type EarlierTurn = { prompt: string; outcome: 'completed' | 'failed'; report: readonly string[] }

export type Work = {
  prompt: string
  /** The turns of this job before this one, oldest first. */
  earlier: readonly EarlierTurn[]
  projectId: string
  jobId: string
  /** The checkout: plain files without anything of git among them. Absolute path. */
  checkout: string
  /** Work folder around the checkout; only this turn uses it, and it is removed afterwards. */
  scratch: string
  repository: { gitDir: string; git: Git; commit: string; url: string }
  /** Folder of the project inside the checkout; empty for the whole checkout. */
  folder: string
  /** Takes readable text as it is produced, in pieces that need not be whole lines. */
  onOutput(text: string): void
}

/** What the agent used, as far as it said. `costUsd` in US dollars. */
export type Usage = { inputTokens: number | null; outputTokens: number | null; costUsd: number | null }

export type CheckResult = { command: string; passed: boolean; output: readonly string[] }

/** Result of a run: lines for the report, what was used, and the checks; null where none were run or nothing was said. */
export type RunResult = { report: string[]; usage: Usage | null; checks: CheckResult | null }

export type Runner = {
  model: string
  /** Why a prompt can't be worked on, as a sentence; null when it can. Absent: any prompt can. */
  check?(prompt: string): string | null
  /** Rejects with a sentence for the reader, also when `signal` aborts. Leaves no process running. */
  run(work: Work, signal: AbortSignal): Promise<RunResult>
}

/** A failure with a report of several sentences for the reader, the reason first. `usage`: what was used until then. */
export class RunFailed extends Error {
  readonly report: string[]
  readonly usage: Usage | null
  constructor(report: string[], usage: Usage | null = null) {
    super(report[0])
    this.report = report
    this.usage = usage
  }
}

/** True for a failed system call, whose message contains a whole path of this machine, so it is not for a report. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error

export const noAgent =
  'No agent is configured, so this service does maintenance only: fix links, fix typos, replace, move. To run prompts, set AGENT_COMMAND; the user guide says how under “Connect an agent”.'

export const noAgentRunner: Runner = {
  model: 'none',
  check: () => noAgent,
  run: () => Promise.reject(new Error(noAgent)),
}

/** Runner that a test of this process puts in the place of a command. Null outside of tests. */
export const testRunner: { current: Runner | null } = { current: null }
