import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { readCounts, type Reporter } from './counts.ts'
import { endSteps, runStep } from './run-step.ts'

type Step = {
  name: string
  command: string[]
  env?: NodeJS.ProcessEnv
  report?: Reporter
  /** It says in a line that begins with `not run: ` why it could not do its work, which is no failure. */
  mayNotRun?: true
}

const root = join(import.meta.dirname, '..')
const bin = (name: string) => join(root, 'node_modules', '.bin', name)
const supply = (check: string) => [process.execPath, join(root, 'scripts', 'supply', 'check.ts'), check]

const checks: Step[] = [
  { name: 'format', command: [bin('oxfmt'), '--check', '.'] },
  // Several checkers check much of it several times.
  { name: 'types', command: [bin('tsc'), '-b', '--checkers', '1'] },
  // One checker here, too. It collects garbage often by itself.
  { name: 'lint', command: [bin('oxlint'), '--threads=1'], env: { GOMAXPROCS: '1', GOGC: '300' } },
  { name: 'dead code', command: [bin('knip'), '--no-progress'] },
]
const supplyChecks: Step[] = [
  { name: 'secret scan', command: supply('secrets') },
  { name: 'lockfile', command: supply('lockfile') },
  { name: 'licences', command: supply('licences') },
  { name: 'known vulnerabilities', command: supply('vulnerabilities'), mayNotRun: true },
]
const build: Step = { name: 'build', command: [bin('turbo'), 'run', 'build', '--output-logs=errors-only'] }
/** Tests of vitest, all or those of `files`. They wait for databases and processes much of the time: two a core. */
const unitTests = (files: readonly string[] = []): Step => ({
  name: 'unit and integration tests',
  command: [bin('vitest'), 'run', `--maxWorkers=${Math.max(4, availableParallelism())}`, ...files],
  report: 'vitest',
})
/** Stories alone: the other browser tests are a proof. */
const browserTests: Step = {
  name: 'browser tests',
  command: [bin('playwright'), 'test', '--grep', '@story'],
  report: 'playwright',
}

/** Steps that run one after the other. */
type Lane = readonly Step[]

/** Everything. Browser tests beside the others would take longer than after them, and more computing. */
export const allLanes: readonly Lane[] = [
  [build, unitTests(), browserTests],
  [...checks, ...supplyChecks],
]

/** What one runs before a commit: the checks, and the tests of `files`. */
export const quickLanes = (files: readonly string[]): readonly Lane[] => [
  checks,
  files.length === 0 ? [] : [unitTests(files)],
]

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

const withReport = (
  { report, command, env = {} }: Step,
  file: string,
): { command: string[]; env: NodeJS.ProcessEnv } => {
  if (report === 'vitest') return { command, env: { UNIT_JSON_OUTPUT_FILE: file } }
  if (report === 'playwright')
    return { command: [...command, '--reporter=list,json'], env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file } }
  return { command, env }
}

type StepCounts = { passed: number; failed: number; cpuSeconds: number | null }

/** Runs a step and prints what became of it, in full when it failed. `report` is a file of its own. */
const run = async (step: Step, report: string): Promise<StepCounts> => {
  const { command, env } = withReport(step, report)
  const [program = '', ...args] = command
  const { ok, output, tookMs, cpuSeconds } = await runStep(program, args, { ...environment(), ...env }, silentMs)
  const notRun = step.mayNotRun && ok ? /^not run: .*$/m.exec(output)?.[0] : undefined
  if (notRun !== undefined) {
    console.log(`– ${step.name} ${notRun}`)
    return { passed: 0, failed: 0, cpuSeconds }
  }
  const counts = readCounts(ok, step.report && { by: step.report, file: report })
  if (!counts.ok) console.log(`\n${output.trimEnd()}\n`)
  const tests = step.report ? `, ${counts.passed} passed, ${counts.failed} failed` : ''
  const cpu = cpuSeconds === null ? '' : `, ${cpuSeconds.toFixed(0)} CPU s`
  console.log(`${counts.ok ? '✓' : '✗'} ${step.name} (${(tookMs / 1000).toFixed(1)} s${cpu}${tests})`)
  return { ...counts, cpuSeconds }
}

/**
 * Runs the lanes side by side, also after a step has failed, prints what failed in full, and ends with the sum as the
 * last line. Resolves with the exit code.
 */
export const runLanes = async (lanes: readonly Lane[]): Promise<number> => {
  const startedAt = performance.now()
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
  const runAll = async (lane: Lane) => {
    for (const step of lane) counts.push(await run(step, join(temporary, `${step.report}.json`)))
  }
  await Promise.all(lanes.map(runAll))
  rmSync(temporary, { recursive: true, force: true })
  process.off('SIGINT', stop).off('SIGTERM', stop)
  const sum = (field: keyof StepCounts) => counts.reduce((all, step) => all + (step[field] ?? 0), 0)
  console.log(
    `\n${((performance.now() - startedAt) / 1000).toFixed(0)} s, ${sum('cpuSeconds').toFixed(0)} CPU s in all`,
  )
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
  return sum('failed') === 0 ? 0 : 1
}
