import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { readCounts, type Reporter } from './counts.ts'
import { endSteps, runStep } from './run-step.ts'
import { secondTriesIn } from './second-tries.ts'

type Step = {
  name: string
  command: string[]
  report?: Reporter
  /** It says in a line that begins with `not run: ` why it could not do its work, which is no failure. */
  mayNotRun?: true
}

const root = join(import.meta.dirname, '..')
const bin = (name: string) => join(root, 'node_modules', '.bin', name)
const supply = (check: string) => [process.execPath, join(root, 'scripts', 'supply', 'check.ts'), check]

const staticChecks: Step[] = [
  { name: 'format', command: [bin('oxfmt'), '--check', '.'] },
  { name: 'lint', command: [bin('oxlint')] },
  { name: 'types', command: [bin('tsc'), '-b'] },
  { name: 'dead code', command: [bin('knip'), '--no-progress'] },
  { name: 'secret scan', command: supply('secrets') },
  { name: 'lockfile', command: supply('lockfile') },
  { name: 'licences', command: supply('licences') },
  { name: 'known vulnerabilities', command: supply('vulnerabilities'), mayNotRun: true },
]
// What passes only the second time is named in the output: on a machine that others use too it does not stop everybody,
// and is still to be looked at. By hand (`pnpm unit`, `pnpm e2e`) nothing is tried again. Tests wait for databases,
// processes and polls most of the time, so there are more workers than cores. A project of vitest takes this from
// nowhere but the command line. A counterexample of a property is found by chance, and would be lost with the second
// try.
const secondTry = ['--retry.count=1', '--retry.condition=^(?!Property failed)']
const unitTests: Step = {
  name: 'unit and integration tests',
  command: [bin('vitest'), 'run', `--maxWorkers=${Math.max(4, availableParallelism())}`, ...secondTry],
  report: 'vitest',
}
const build: Step = { name: 'build', command: [bin('turbo'), 'run', 'build', '--output-logs=errors-only'] }
const browserTests: Step = {
  name: 'browser tests',
  command: [bin('playwright'), 'test', '--retries=1'],
  report: 'playwright',
}

/** Everything. */
export const allSteps = [...staticChecks, build, unitTests, browserTests]
/** Steps that are quick enough to run before every commit. */
export const fastSteps = [...staticChecks, unitTests]

/** The longest test on a machine with ten times as many processes as cores takes a third of it. */
const silentMs = 15 * 60_000

const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  // This Node first, so that a tool with `#!/usr/bin/env node` does not find an older one.
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  TURBO_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
  NO_COLOR: '1',
  // Every step, and every Docket that a test starts, loads the same modules.
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
  FORCE_COLOR: undefined,
  // npm's own settings would reach the tools as if somebody had set them.
  NODE_ENV: undefined,
})

const withReport = ({ report, command }: Step, file: string): { command: string[]; env: NodeJS.ProcessEnv } => {
  if (report === 'vitest') return { command, env: { UNIT_JSON_OUTPUT_FILE: file } }
  if (report === 'playwright')
    return { command: [...command, '--reporter=list,json'], env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file } }
  return { command, env: {} }
}

type StepCounts = { passed: number; failed: number }

/** Runs a step and prints what became of it, in full when it failed. `report` is a file of its own. */
const run = async (step: Step, report: string): Promise<StepCounts> => {
  const { command, env } = withReport(step, report)
  const [program = '', ...args] = command
  const { ok, output, tookMs } = await runStep(program, args, { ...environment(), ...env }, silentMs)
  const notRun = step.mayNotRun && ok ? /^not run: .*$/m.exec(output)?.[0] : undefined
  if (notRun !== undefined) {
    console.log(`– ${step.name} ${notRun}`)
    return { passed: 0, failed: 0 }
  }
  const counts = readCounts(ok, step.report && { by: step.report, file: report })
  if (!counts.ok) console.log(`\n${output.trimEnd()}\n`)
  const tests = step.report ? `, ${counts.passed} passed, ${counts.failed} failed` : ''
  console.log(`${counts.ok ? '✓' : '✗'} ${step.name} (${(tookMs / 1000).toFixed(1)} s${tests})`)
  if (step.report) for (const test of secondTriesIn(output)) console.log(`  tried again: ${test}`)
  return counts
}

/**
 * Runs checks two at a time and then tests one after the other, also after one has failed, prints what failed in full,
 * and ends with the sum as the last line. Resolves with the exit code.
 */
export const runSteps = async (steps: readonly Step[]): Promise<number> => {
  const temporary = mkdtempSync(join(tmpdir(), 'docket-test-'))
  const stop = (signal: NodeJS.Signals) => {
    void endSteps().then(() => {
      rmSync(temporary, { recursive: true, force: true })
      process.exit(signal === 'SIGINT' ? 130 : 143)
    })
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  process.chdir(root)
  const counts: StepCounts[] = []
  const runAll = async (left: Iterable<Step>) => {
    for (const step of left) counts.push(await run(step, join(temporary, `${steps.indexOf(step)}.json`)))
  }
  // Half of the checks use one core alone. Tests use all there are: two kinds of them at once take longer than one
  // after the other.
  const checks = steps.filter(({ report }) => report === undefined).values()
  await Promise.all([runAll(checks), runAll(checks)])
  await runAll(steps.filter(({ report }) => report !== undefined))
  rmSync(temporary, { recursive: true, force: true })
  process.off('SIGINT', stop).off('SIGTERM', stop)
  const sum = (field: keyof StepCounts) => counts.reduce((all, step) => all + step[field], 0)
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`)
  return sum('failed') === 0 ? 0 : 1
}
