import { basename } from 'node:path'
import { RunFailed, type Runner } from '#agent-jobs/runners/runner.ts'
import { wordsOf } from '#agent-jobs/sandbox/command-line.ts'
import { watchDisk } from '#agent-jobs/sandbox/disk-watch.ts'
import { runInSandbox } from '#agent-jobs/sandbox/run-in-sandbox.ts'

/**
 * The runner that is a program of the operator's: the prompt on its standard input, the checkout as its working folder, what it says as
 * the report. It runs in a sandbox, or the job fails. Throws at once when the command cannot be read. `hidden` is what it must
 * never see, wherever it lies.
 */
export const commandRunner = (options: { command: string; network: boolean; hidden: readonly string[] }): Runner => {
  const { command, network, hidden } = options
  const words = wordsOf(command)
  return {
    model: `command: ${basename(words[0])}`,
    run: async ({ prompt, checkout }, signal) => {
      const tooMuch = new AbortController()
      const endWatch = watchDisk(checkout, (sentence) => tooMuch.abort(new Error(sentence)))
      const order = { words, folder: checkout, network, hidden, input: `${prompt}\n` }
      try {
        const { exitCode, lines } = await runInSandbox(order, AbortSignal.any([signal, tooMuch.signal]))
        if (exitCode !== 0) throw new RunFailed([`The command ended with exit code ${exitCode}.`, ...lines])
        return lines
      } finally {
        endWatch()
      }
    },
  }
}
