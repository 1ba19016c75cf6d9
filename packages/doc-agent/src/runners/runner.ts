import type { Git } from '@docket/sources/git/git'

export type EarlierTurn = { prompt: string; outcome: 'completed' | 'failed'; report: readonly string[] }

export type Work = {
  prompt: string
  /** The turns of this job before this one, oldest first. */
  earlier: readonly EarlierTurn[]
  projectId: string
  jobId: string
  /** Absolute path of plain files without git data. */
  checkout: string
  /** Work folder around the checkout; only this turn uses it, and it is removed afterwards. */
  scratch: string
  repository: { gitDir: string; git: Git; commit: string; url: string }
  /** Folder of the project inside the checkout; empty for the whole checkout. */
  folder: string
  /** Receives readable text as it is produced, in pieces that need not be whole lines. */
  onOutput(text: string): void
}

/** Null where the agent did not report it. `costUsd` is in US dollars. */
export type Usage = { inputTokens: number | null; outputTokens: number | null; costUsd: number | null }

export type CheckResult = { command: string; passed: boolean; output: readonly string[] }

/** `usage` is null when it was not reported, and `checks` when none were run. */
export type RunResult = { report: string[]; usage: Usage | null; checks: CheckResult | null }

export type Runner = {
  model: string
  /** Reason why a prompt can't be worked on; null when it can. When absent, every prompt can be. */
  check?(prompt: string): string | null
  /** Rejects with a readable error, even when `signal` aborts. Leaves no process running. */
  run(work: Work, signal: AbortSignal): Promise<RunResult>
}

/** A failure with a report of several sentences, the reason first. `usage` is what was used until then. */
export class RunFailed extends Error {
  readonly report: string[]
  readonly usage: Usage | null
  constructor(report: string[], usage: Usage | null = null) {
    super(report[0])
    this.report = report
    this.usage = usage
  }
}

/** True for a failed system call, whose message contains a path of this machine and must not be in a report. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error

export const noAgent =
  'No agent is configured, so this service does maintenance only: fix links, fix typos, replace, move. To run prompts, set AGENT_COMMAND; the user guide says how under “Connect an agent”.'

export const noAgentRunner: Runner = {
  model: 'none',
  check: () => noAgent,
  run: () => Promise.reject(new Error(noAgent)),
}

/** Runner that a test uses instead of a command. Null outside of tests. */
export const testRunner: { current: Runner | null } = { current: null }
