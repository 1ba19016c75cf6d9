import { basename } from 'node:path'
import { splitCommandLine } from '#sandbox/command-line.ts'
import { runInSandbox } from '#sandbox/run-in-sandbox.ts'
import { RunFailed, type Runner } from './runner.ts'

/**
 * Runner for a program of the operator: the prompt on its standard input, the checkout as its working folder, its output as the report. It
 * runs in a sandbox, or the job fails. Throws at once when the command cannot be parsed. The program never sees the folders in `hidden`.
 */
export const commandRunner = ({ command, hidden }: { command: string; hidden: readonly string[] }): Runner => {
  const words = splitCommandLine(command)
  return {
    model: `command: ${basename(words[0])}`,
    run: async ({ prompt, checkout, scratch }, signal) => {
      const order = { words, scratch, checkout, hidden, input: `${prompt}\n` }
      const { exitCode, lines } = await runInSandbox(order, signal)
      if (exitCode !== 0) throw new RunFailed([`The command ended with exit code ${exitCode}.`, ...lines])
      return lines
    },
  }
}
