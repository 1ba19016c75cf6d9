import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runInSandbox } from '#sandbox/run-in-sandbox.ts'
import { commandOutput } from './command-output/command-output.ts'
import { type CheckResult, isSystemError, type Work } from './runner.ts'

const run = promisify(execFile)

/** Runs the checks on a copy of the result, so that what they write is not part of it. They have no network and no variables. */
export const runChecks = async (
  order: { words: readonly [string, ...string[]]; command: string; hidden: readonly string[]; work: Work },
  signal: AbortSignal,
): Promise<CheckResult> => {
  const { words, command, hidden, work } = order
  const { scratch } = work
  const [docket, copy] = [join(scratch, 'checks'), join(scratch, 'checked')]
  const output = commandOutput({ secrets: [], onText: work.onOutput, onUsage: () => {} })
  work.onOutput(`Checks: ${command}\n`)
  try {
    await run('cp', ['-aT', '--reflink=auto', '--', work.checkout, copy], { signal }).catch(() => {
      throw new Error('The files could not be copied for the checks.')
    })
    const order = { words, scratch, docket, checkout: copy, hidden, input: '', onOutput: output.add }
    const { exitCode } = await runInSandbox(order, signal)
    output.end()
    return { command, passed: exitCode === 0, output: output.lines() }
  } catch (error) {
    output.end()
    signal.throwIfAborted()
    if (isSystemError(error)) throw error
    return {
      command,
      passed: false,
      output: [...output.lines(), error instanceof Error ? error.message : String(error)],
    }
  }
}
