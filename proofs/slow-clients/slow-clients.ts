import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Proof } from '#proofs/harness/proof.ts'
import { startDocket } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'
import { keepSlow, slowKinds } from './clients.ts'

const slowInAll = slowKinds.reduce((sum, { count }) => sum + count, 0)
const readers = 4
const ordinaryMs = 20_000
const maxMegabytes = 300

const fault: Fault = {
  file: 'ground/http/limits/connections.ts',
  instead: '      if (may(connection) && isWaiting(connection)) {',
  write: '      if (false && may(connection)) {',
}

const readMegabytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Hundreds of clients of every slow kind, and ordinary readers, each of whom opens new connections all the time. */
export const proof: Proof = {
  name: 'slow-clients',
  bar: `with ${slowInAll.toLocaleString('en')} slow clients of ${slowKinds.length} kinds connected, every ordinary request is answered, and Docket grows by less than ${maxMegabytes} MB`,
  fault,
  run: async ({ planted }) => {
    const docket = await startDocket({ LOG_LEVEL: 'error', ADMIN_API_CALLS_PER_HOUR: '0' }, planted ? [fault] : [])
    const { client, cookie, pid } = docket
    const port = Number(new URL(client.url).port)
    await Promise.all(
      Array.from({ length: 50 }, () => client.get('/api/static-exports').then((answer) => answer.text())),
    )
    const before = readMegabytes(pid)
    const slow = slowKinds.map((kind) => keepSlow(port, kind, cookie))
    await delay(4_000)
    let [answered, lost, longest, most] = [0, 0, 0, before]
    const statuses = new Set<number>()
    const until = performance.now() + ordinaryMs
    const reader = async () => {
      while (performance.now() < until) {
        const startMs = performance.now()
        // A new connection, because slow clients could prevent new ones.
        const status = await client.get('/api/static-exports', { connection: 'close' }).then(
          (answer) => answer.text().then(() => answer.status),
          () => 0,
        )
        if (status === 200) answered += 1
        else {
          lost += 1
          statuses.add(status)
        }
        longest = Math.max(longest, performance.now() - startMs)
        most = Math.max(most, readMegabytes(pid))
        await delay(50)
      }
    }
    await Promise.all(Array.from({ length: readers }, reader))
    const open = slow.reduce((sum, kind) => sum + kind.open(), 0)
    const cut = slow.reduce((sum, kind) => sum + kind.cut(), 0)
    await Promise.all(slow.map(({ stop }) => stop()))
    const grown = most - before
    return {
      ok: lost === 0 && answered > readers * 10 && open > 1_000 && grown < maxMegabytes,
      figure: `${lost} of ${answered + lost} ordinary requests failed${lost === 0 ? '' : ` (status ${[...statuses].join(', ')})`} (the slowest took ${Math.round(longest)} ms) beside ${open} slow clients, ${cut} more of whom were cut; Docket grew by ${Math.round(grown)} MB`,
    }
  },
}
