import { basename } from 'node:path'
import { splitCommandLine } from '#sandbox/command-line.ts'
import { runInSandbox } from '#sandbox/run-in-sandbox.ts'
import { RunFailed, type Runner } from './runner.ts'

/**
 * Runner for the operator's command: prompt on standard input, checkout as working folder, output as report. Always runs in a sandbox,
 * which never shows the folders in `hidden`. Throws at once when the command does not parse.
 */
export const commandRunner = ({ command, hidden }: { command: string; hidden: readonly string[] }): Runner => {
  const words = splitCommandLine(command)
  return {
    model: `command: ${basename(words[0])}`,
    run: async ({ prompt, checkout, scratch }, signal) => {
      const order = { words, scratch, checkout, hidden, input: `${prompt}\n` }
      const { exitCode, lines } = await runInSandbox(order, signal)
      if (exitCode !== 0) throw new RunFailed([`The command ended with exit code ${exitCode}.`, ...lines])
      return { report: lines, usage: null, checks: null }
    },
  }
}
