import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startProcess, type BenchProcess } from '#bench/harness/processes.ts'
import { digits, line, type Row } from '#bench/harness/row.ts'
import { ask } from '#bench/harness/sessions.ts'
import { inTurns, median } from '#bench/harness/statistics.ts'
import { memoryAloneMb, memoryMb, listTree } from '#bench/harness/usage.ts'

// Not a file of the bench: in TypeScript, most of its memory and start would be Node's type stripping.
const bareServer = `
const bytes = require('node:fs').readFileSync(0)
const headers = { 'content-type': 'application/json', 'content-length': bytes.length }
require('node:http')
  .createServer((_, response) => response.writeHead(200, headers).end(bytes))
  .listen(0, '127.0.0.1', function () { console.log('http://127.0.0.1:' + this.address().port) })
`
const path = '/api/static-exports'

/** Milliseconds until the first successful response, and what it holds when nothing happens any more. MB. */
const startOne = async (start: () => Promise<BenchProcess>, idleAfterMs: number) => {
  const startMs = performance.now()
  const server = await start()
  const answer = await ask(server.address + path)
  await answer.text()
  const readyMs = performance.now() - startMs
  if (answer.status !== 200) throw new Error(`the first answer was ${answer.status}`)
  await delay(idleAfterMs)
  const processes = listTree(server.pid).length
  // The database shares memory among its processes, Node shares only its program, with whatever else runs here.
  const own = memoryAloneMb(server.pid)
  const all = own + memoryMb(server.pid, { tree: true }) - memoryMb(server.pid)
  await server.stop()
  return { readyMs, idleMb: own, withDatabaseMb: all, processes }
}

/** From the command to the first answer, and memory at rest. */
export const start: Row = {
  name: 'start',
  title: 'Start and memory at rest',
  method:
    'The time from the start of the process to the first successful response with the list of exports, and memory some seconds later, compared with a Node server that only sends the same bytes. Memory is RSS, so it does not depend on what else runs. The embedded database uses an existing folder. Its processes are counted separately (PSS).',
  run: async (world) => {
    const url = await (await world.databases()).database()
    const probe = await world.docket(url)
    const text = await (await ask(probe.address + path)).text()
    await probe.stop()
    const dataDir = join(world.folder, 'embedded')
    const embedded = () => world.docket('', { DATABASE_URL: '', DATA_DIR: dataDir })
    // The first start of a folder makes its database and its first account.
    await (await embedded()).stop()
    const idleAfterMs = world.quick ? 2_000 : 3_000
    const measured = await inTurns(world.quick ? 3 : 5, {
      bare: () => startOne(() => startProcess(process.execPath, ['--eval', bareServer], {}, text), idleAfterMs),
      docket: () => startOne(() => world.docket(url), idleAfterMs),
      embedded: () => startOne(embedded, idleAfterMs),
    })
    const readMedian = (name: 'bare' | 'docket' | 'embedded', what: 'readyMs' | 'idleMb' | 'withDatabaseMb') =>
      median(measured[name].map((one) => one[what]))
    const against = (what: string, docket: number, reference: number, unit: string, bar: { atMost?: number } = {}) =>
      line(`${what}: ${unit}`, digits(docket), `bare Node ${digits(reference)}`, docket / reference, bar)
    const [ready, idle] = [readMedian('bare', 'readyMs'), readMedian('bare', 'idleMb')]
    return [
      against('start to first successful response, database running', readMedian('docket', 'readyMs'), ready, 'ms', {
        atMost: 6,
      }),
      against('start to first successful response, embedded database', readMedian('embedded', 'readyMs'), ready, 'ms', {
        atMost: 6,
      }),
      against('memory at rest, without the database', readMedian('docket', 'idleMb'), idle, 'MB', { atMost: 3 }),
      against('memory at rest, with the embedded database', readMedian('embedded', 'withDatabaseMb'), idle, 'MB'),
    ]
  },
}
