import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

// `pnpm test:replicas [rounds]`: the long form of the tests of several Dockets on one database. Every round kills a
// process with kill -9 and starts another in its place; the shuffled orders are as many times as many.
const root = join(import.meta.dirname, '..')
const rounds = Number(process.argv[2] ?? 20)
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error('Give the number of rounds, such as: pnpm test:replicas 20')
  process.exit(2)
}
const tests = ['apps/bff/src/polling/replicas.test.ts', 'apps/bff/src/polling/claim.races.test.ts']
const { status } = spawnSync(join(root, 'node_modules', '.bin', 'vitest'), ['run', '--project', 'bff', ...tests], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, REPLICA_ROUNDS: String(rounds), RACE_RUNS: String(rounds * 100) },
})
process.exit(status ?? 1)
