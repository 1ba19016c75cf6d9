import { lstat, rmdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { splitCommandLine } from '#sandbox/command-line.ts'
import type { NetworkRules } from '#sandbox/network/check-destination.ts'
import { runInSandbox } from '#sandbox/run-in-sandbox.ts'
import { makeAgentRepository } from './agent-repository.ts'
import { commandOutput, type UsageSoFar } from './command-output/command-output.ts'
import { findSecret } from './command-output/find-secret.ts'
import { readEnvFile } from './env-file.ts'
import { runChecks } from './run-checks.ts'
import { isSystemError, RunFailed, type Runner } from './runner.ts'
import { writeContext } from './turn-context.ts'

/** Pause between a command's word that its run is over and its end, when it cost too much. Milliseconds. */
const graceMs = 5_000

export type CommandOptions = {
  command: string
  hidden: readonly string[]
  /** Hosts that the command may reach; null: it has no network. */
  network?: NetworkRules | null
  envFile?: string | null
  checkCommand?: string | null
  /** Cost that stops the command, in US dollars. */
  maxCostUsd?: number | null
}

/**
 * Runner for the operator's command: context and prompt on standard input, checkout as working folder, its last message as report.
 * Always runs in a sandbox, which never shows the folders in `hidden`. Throws at once when a command does not parse.
 */
export const commandRunner = (options: CommandOptions): Runner => {
  const { command, hidden, network = null, envFile = null, checkCommand = null, maxCostUsd = null } = options
  const words = splitCommandLine(command)
  const checkWords = checkCommand === null ? null : splitCommandLine(checkCommand)
  return {
    model: `command: ${basename(words[0])}`,
    run: async (work, signal) => {
      const { checkout, scratch, onOutput } = work
      const variables = envFile === null ? {} : await readEnvFile(envFile)
      const secrets = Object.values(variables)
      const cost = new AbortController()
      const stopFor = ({ costUsd, isTotal }: UsageSoFar) => {
        if (maxCostUsd === null || costUsd === null || costUsd <= maxCostUsd) return
        // A run that is over keeps its result; another one after it does not begin.
        setTimeout(() => cost.abort(new Error(describeCost(costUsd, maxCostUsd))), isTotal ? graceMs : 0).unref()
      }
      const output = commandOutput({ secrets, onText: onOutput, onUsage: stopFor })
      const [docket, git] = [join(scratch, 'docket'), join(scratch, 'agent.git')]
      const input = await writeContext(docket, work)
      await makeAgentRepository(git, work, signal)
      const startedAt = Date.now()
      try {
        const { exitCode } = await runInSandbox(
          {
            words,
            scratch,
            checkout,
            hidden,
            docket,
            git,
            input,
            variables: { ...variables, DOCKET_CONTEXT: '/run/docket/context.json' },
            ...(network && { network }),
            onOutput: output.add,
          },
          AbortSignal.any([signal, cost.signal]),
        )
        output.end()
        if (exitCode !== 0) throw new RunFailed([`The command ended with exit code ${exitCode}.`, ...output.lines()])
      } catch (error) {
        output.end()
        signal.throwIfAborted()
        if (isSystemError(error)) throw error
        const reasons =
          error instanceof RunFailed ? error.report : [error instanceof Error ? error.message : String(error)]
        throw new RunFailed(reasons, output.usage())
      }
      await removeGitFolder(checkout)
      const usage = output.usage()
      const leak = await findSecret(checkout, variables, startedAt)
      if (leak !== null) throw new RunFailed([describeLeak(leak)], usage)
      const report = output.report()
      if (maxCostUsd !== null && (usage?.costUsd ?? 0) > maxCostUsd)
        report.push(describeCost(usage!.costUsd!, maxCostUsd))
      const checks =
        checkWords && (await runChecks({ words: checkWords, command: checkCommand!, hidden, work }, signal))
      return { report, usage, checks }
    },
  }
}

/** Removes the empty folder that the agent's repository was mounted on. */
const removeGitFolder = async (checkout: string) => {
  const path = join(checkout, '.git')
  if ((await lstat(path).catch(() => null))?.isDirectory()) await rmdir(path).catch(() => {})
}

const describeCost = (cost: number, max: number) =>
  `The command reported a cost of $${cost.toFixed(2)}, more than AGENT_JOB_MAX_COST allows ($${max.toFixed(2)}).`

const describeLeak = (path: string) =>
  `The command wrote a value of AGENT_COMMAND_ENV_FILE into ${path}, so nothing was committed. Replace that value where it was issued.`
