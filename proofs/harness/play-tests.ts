import { join } from 'node:path'
import { onEnd } from '#bench/harness/cleanup.ts'
import { readCounts, type Reporter } from '#scripts/counts.ts'
import { endSteps, runStep } from '#scripts/run-step.ts'
import { temporaryFolder } from './docket.ts'
import type { Fault } from './plant.ts'
import type { Proof } from './proof.ts'

const root = join(import.meta.dirname, '..', '..')
const silentMs = 15 * 60_000

/** Runs tests, and prints what they wrote when one failed. Throws when none passed: they may not have begun. */
const runTests = async (by: Reporter, args: readonly string[], variables: Record<string, string> = {}) => {
  const file = join(temporaryFolder(), 'report.json')
  const env = { ...process.env, ...variables, PLAYWRIGHT_JSON_OUTPUT_FILE: file }
  process.chdir(root)
  onEnd(endSteps)
  const all = by === 'vitest' ? [...args, `--outputFile=${file}`] : args
  const { ok, output } = await runStep(join(root, 'node_modules', '.bin', by), all, env, silentMs)
  const counts = readCounts(ok, { by, file })
  if (!counts.ok) console.log(output)
  if (counts.passed === 0) throw new Error('no test passed')
  return { ok: counts.ok, figure: `${counts.passed} tests passed, ${counts.failed} failed` }
}

const vitest = ['run', '--config=proofs/prove.config.ts', '--reporter=default', '--reporter=json']

/** Plays files of `npm test`, given by a part of their paths, with as many samples. */
export const playSamples =
  (files: readonly string[], samples: number, fault: Fault): Proof['run'] =>
  ({ planted }) =>
    runTests('vitest', [...vitest, ...files], {
      SAMPLES: String(samples),
      PLANTED_FAULTS: JSON.stringify(planted ? [fault] : []),
    })

/** Plays every `*.prove.ts`. */
export const playProveFiles: Proof['run'] = () => runTests('vitest', [...vitest, '.prove.ts'])

/** Plays every browser test. */
export const playBrowserTests: Proof['run'] = () => runTests('playwright', ['test', '--reporter=list,json'])
