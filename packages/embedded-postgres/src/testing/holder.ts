// Stands in for Docket in the tests: holds a data directory in a process of its own, which can be killed. Arguments:
// data directory, then optionally `orphan` (the server outlives this process) or `write` (insert until killed).
import { Client } from 'pg'
import { startEmbeddedPostgres } from '#embedded-postgres.ts'
import { listWaysToRun, type RunAs } from '#run-as.ts'

const [dataDir, mode] = process.argv.slice(2)
const outliving = ({ prefix, ...way }: RunAs): RunAs => {
  const at = prefix.indexOf('--pdeathsig')
  return { ...way, prefix: at === -1 ? prefix : prefix.toSpliced(at, 2) }
}
const ways = mode === 'orphan' ? listWaysToRun().map(outliving) : listWaysToRun()
const say = (message: unknown): void => void process.stdout.write(`${JSON.stringify(message)}\n`)

// A Ctrl-C in the terminal reaches every process in front of it; Docket closes its connections before the server goes.
process.on('SIGINT', () => say({ interrupted: true }))

try {
  const { connection, stop } = await startEmbeddedPostgres({ dataDir: dataDir!, ways, lockWaitMs: 0 })
  process.on('SIGTERM', () => void stop().then(() => process.exit(0)))
  say({ connection })
  if (mode === 'write') {
    const client = new Client(connection)
    await client.connect()
    await client.query('create table if not exists written (n int)')
    for (let n = 1; ; n++) {
      await client.query('insert into written values ($1)', [n])
      say({ inserted: n })
    }
  }
} catch (error) {
  say({ refused: error instanceof Error ? `${error.name}: ${error.message}` : String(error) })
}
