import { lstat, rmdir, readFile, mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseEnv, promisify } from 'node:util'
import { execFile } from 'node:child_process'
import type { NetworkRules } from '@docket/sandbox/network/check-destination'
import { runInSandbox } from '@docket/sandbox/run-in-sandbox'
import { createCommandOutput, type UsageSoFar } from '#runners/command-output/command-output.ts'
import { findSecret } from '#runners/command-output/hide-secrets.ts'
import { reservedNames, docketFolder } from '@docket/sandbox/bubblewrap-arguments'
import { makeAgentRepository } from './agent-repository.ts'
import { isSystemError, RunFailed, type Runner, type CheckResult, type Work } from './runner.ts'

/** Time for a command to exit after it reported the end of a run that cost too much. Milliseconds. */
const graceMs = 5_000

export type CommandOptions = {
  command: string
  hidden: readonly string[]
  /** Hosts that the command may reach. Null when it has no network. */
  network?: NetworkRules | null
  envFile?: string | null
  checkCommand?: string | null
  /** Cost that stops the command, in US dollars. */
  maxCostUsd?: number | null
}

/** Runs commands in a sandbox without the folders in `hidden`. Throws at once when a command does not parse. */
export const createCommandRunner = (options: CommandOptions): Runner => {
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
        // A finished run keeps its result, but no further run begins.
        setTimeout(() => cost.abort(new Error(describeCost(costUsd, maxCostUsd))), isTotal ? graceMs : 0).unref()
      }
      const output = createCommandOutput({ secrets, onText: onOutput, onUsage: stopFor })
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
        ).finally(output.end)
        if (exitCode !== 0) throw new RunFailed([`The command ended with exit code ${exitCode}.`, ...output.lines()])
      } catch (error) {
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

const removeGitFolder = async (checkout: string) => {
  const path = join(checkout, '.git')
  if ((await lstat(path).catch(() => null))?.isDirectory()) await rmdir(path).catch(() => {})
}

const describeCost = (cost: number, max: number) =>
  `The command reported a cost of $${cost.toFixed(2)}, more than AGENT_JOB_MAX_COST allows ($${max.toFixed(2)}).`

const describeLeak = (path: string) =>
  `The command wrote a value of AGENT_COMMAND_ENV_FILE into ${path}, so nothing was committed. Replace that value where it was issued.`

/** Variables of AGENT_COMMAND_ENV_FILE for the sandbox, read at each run so that a new key needs no restart. Rejects readably. */
const readEnvFile = async (path: string): Promise<Record<string, string>> => {
  const text = await readFile(path, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new Error(`AGENT_COMMAND_ENV_FILE cannot be read (${code}). Check the path and who may read it.`)
  })
  const variables = parseEnv(text) as Record<string, string>
  for (const [name, value] of Object.entries(variables)) {
    if (!/^[A-Z_]\w*$/i.test(name) || value.includes('\0'))
      throw new Error('AGENT_COMMAND_ENV_FILE has a line that is not NAME=value. Correct it.')
    if (isReserved(name))
      throw new Error(`AGENT_COMMAND_ENV_FILE sets ${name}, which the sandbox sets itself. Remove that line.`)
  }
  return variables
}

const isReserved = (name: string) => {
  const upper = name.toUpperCase()
  return (
    reservedNames.has(upper) ||
    /^(LD_|DOCKET_|BASH_FUNC_)|_PROXY$/.test(upper) ||
    ['ENV', 'BASH_ENV', 'IFS'].includes(upper)
  )
}

const run = promisify(execFile)

/** Runs the checks on a copy of the result, so that files they write are not part of it. They get no network and no variables. */
const runChecks = async (
  order: { words: readonly [string, ...string[]]; command: string; hidden: readonly string[]; work: Work },
  signal: AbortSignal,
): Promise<CheckResult> => {
  const { words, command, hidden, work } = order
  const { scratch } = work
  const [docket, copy] = [join(scratch, 'checks'), join(scratch, 'checked')]
  const output = createCommandOutput({ secrets: [], onText: work.onOutput, onUsage: () => {} })
  work.onOutput(`Checks: ${command}\n`)
  try {
    await run('cp', ['-aT', '--reflink=auto', '--', work.checkout, copy], { signal }).catch(() => {
      throw new Error('The files could not be copied for the checks.')
    })
    const order = { words, scratch, docket, checkout: copy, hidden, input: '', onOutput: output.add }
    const { exitCode } = await runInSandbox(order, signal).finally(output.end)
    return { command, passed: exitCode === 0, output: output.lines() }
  } catch (error) {
    signal.throwIfAborted()
    if (isSystemError(error)) throw error
    return {
      command,
      passed: false,
      output: [...output.lines(), error instanceof Error ? error.message : String(error)],
    }
  }
}

/** Writes `context.json` and `context.md` into `folder`, and returns the text as the agent's input. The prompt comes last. */
const writeContext = async (
  folder: string,
  work: Pick<Work, 'prompt' | 'earlier' | 'projectId' | 'jobId' | 'checkout' | 'repository' | 'folder'>,
): Promise<string> => {
  const { prompt, earlier, projectId, jobId, checkout, repository } = work
  const instructions = await findInstructions(checkout, work.folder)
  const { commit } = repository
  // Other addresses are paths and ports of this machine.
  const url = repository.url.startsWith('https://') ? repository.url : null
  const facts = { project: projectId, job: jobId, folder: work.folder, repository: { url, commit }, instructions }
  const turns = earlier.map(({ prompt: said, outcome, report }) => ({ prompt: said, outcome, report }))
  const text = [
    `You work on the documentation project “${projectId}”, in a checkout of ${url ?? 'its repository'} at commit ${commit.slice(0, 12)}.`,
    `The checkout is the current folder, /work.${work.folder === '' ? '' : ` The documentation is in its folder ${work.folder}/.`}`,
    ...instructions.map((file) => `Read ${file} first: it says how to work here.`),
    'Change the files. When you end, Docket commits the change and opens a pull request, which people review.',
    `These facts are also in ${docketFolder}/context.json.`,
    ...(earlier.length === 0
      ? []
      : ['', 'Earlier messages of this job, oldest first. Their changes are in the checkout.']),
    ...earlier.flatMap((turn, index) => ['', `Message ${index + 1}:`, turn.prompt, '', ...describeOutcome(turn)]),
    '',
    earlier.length === 0 ? 'The task:' : 'The task now:',
    prompt,
    '',
  ].join('\n')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'context.json'), `${JSON.stringify({ ...facts, earlier: turns, prompt }, null, 2)}\n`)
  await writeFile(join(folder, 'context.md'), text)
  return text
}

const describeOutcome = ({ outcome, report }: Work['earlier'][number]) => [
  outcome === 'completed' ? 'The agent finished and reported:' : 'The agent failed:',
  ...(report.length === 0 ? ['(nothing)'] : report),
]

const findInstructions = async (checkout: string, folder: string): Promise<string[]> => {
  const places = [...new Set(['AGENTS.md', folder === '' ? 'AGENTS.md' : `${folder}/AGENTS.md`])]
  const found = await Promise.all(
    places.map((path) =>
      lstat(join(checkout, path)).then(
        (entry) => entry.isFile(),
        () => false,
      ),
    ),
  )
  return places.filter((_, index) => found[index])
}

/** Quotes keep words together. Throws a readable error when the command is empty or a quote is not closed. */
export const splitCommandLine = (command: string): [string, ...string[]] => {
  const words: string[] = []
  const pattern = /\s*((?:[^\s"']|"[^"]*"|'[^']*')+)/y
  let rest = command.trimEnd()
  while (rest !== '') {
    pattern.lastIndex = 0
    const match = pattern.exec(rest)
    if (!match) throw new Error(`The command of agent jobs has a quote that is not closed: ${command}`)
    words.push(match[1]!.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'))
    rest = rest.slice(match[0].length)
  }
  const [program, ...others] = words
  if (program === undefined) throw new Error('The command of agent jobs is empty.')
  return [program, ...others]
}
