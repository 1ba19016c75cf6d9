import { agentRows } from './agent-rows.ts'
import { barMs, crashBench } from './bench.ts'
import { startDatabases, type MakeDatabase } from './databases.ts'
import { exportRows, neverResumed } from './export-rows.ts'
import { alsoInWorkers } from './local-service.ts'
import type { CrashRow } from './row.ts'
import type { Proof } from '#proofs/harness/proof.ts'

const rows: readonly CrashRow[] = [...exportRows, ...agentRows]
/** One row for each kind of crash: the service and its worker, before and after a push. */
const quickRows = rows.filter(({ name }) =>
  [
    'running for the first time when the service is killed: resumed, same bytes',
    'agent job killed after its push: completed with the pull request',
  ].includes(name),
)
/** What is broken is noticed at once, or never. */
const plantedLimitMs = 60_000

const playRow = async ({ name, play }: CrashRow, make: MakeDatabase, planted: boolean, limitMs: number) => {
  const bench = crashBench(await make(), planted ? [neverResumed] : [], limitMs)
  const problem = await play(bench).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  console.log(`  ${problem === null ? '✓' : '✗'} ${name}${problem === null ? '' : `: ${problem}`}`)
  await bench.stop()
  return { name, problem, ms: bench.maxMs() }
}

/**
 * The local Admin API in processes of its own, killed and starved at every place where an export or an agent job can
 * be.
 */
export const proof: Proof = {
  name: 'crash-table',
  bar: `every row of the crash table ends as it must within ${barMs / 1000} s of a restart, and leaves nothing behind`,
  fault: neverResumed,
  alsoReplaced: [alsoInWorkers, ...rows.flatMap(({ crash }) => crash ?? [])],
  run: async ({ planted, quick }) => {
    // The bar is for the long form: `npm test` runs on machines that do much else.
    const limitMs = planted ? plantedLimitMs : quick ? 10 * barMs : barMs
    const outcomes = []
    const makeDatabase = await startDatabases()
    const selectedRows = quick || planted ? quickRows : rows
    for (const row of selectedRows) outcomes.push(await playRow(row, makeDatabase, planted, limitMs))
    const wrong = outcomes.filter(({ problem }) => problem !== null)
    const longest = Math.max(...outcomes.map(({ ms }) => ms))
    const figure = `${selectedRows.length - wrong.length} of ${selectedRows.length} rows ended as they must, at most ${(longest / 1000).toFixed(1)} s after a restart`
    return { ok: wrong.length === 0 && selectedRows.length > 1, figure }
  },
}
