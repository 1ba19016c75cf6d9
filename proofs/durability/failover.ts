import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cp, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { onEnd } from '#bench/harness/cleanup.ts'
import { type EmbeddedConnection, startEmbeddedPostgres } from '#packages/embedded-postgres/src/embedded-postgres.ts'
import { query } from '#packages/embedded-postgres/src/testing/query.ts'
import { startDocket, temporaryFolder } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { exportService } from './export-service.ts'

const writers = 4
/** Each writer's pause, so that together they write about eight times per second. */
const pauseMs = 500
const standbyMs = 6_000
const afterMs = 20_000
const recoverWithinMs = 5_000

// Connections that lead to a standby are used.
const fault: Fault = {
  file: 'bff/src/ground/db/session.ts',
  instead: 'if (readOnly && !reads) throw new DatabaseReadOnly()',
  write: 'void readOnly',
}

/** Starts a server, or a standby of the one it `follows`, which shows its changes at once or `late`. */
const startServer = async (dataDir: string, follows?: EmbeddedConnection, late = false) => {
  const settings: Record<string, string> = { wal_level: 'replica', max_wal_senders: '4' }
  if (follows !== undefined) {
    await writeFile(join(dataDir, 'postgres', 'standby.signal'), '')
    settings['primary_conninfo'] = `host=${follows.host} port=${follows.port} user=${follows.user}`
    if (late) settings['recovery_min_apply_delay'] = '10min'
  }
  const server = await startEmbeddedPostgres({ dataDir, settings })
  onEnd(server.stop)
  return server
}

/** The address of a service: each new connection leads to `target`, and stays there. */
const serviceAddress = async (first: EmbeddedConnection) => {
  let target = first
  const server = createServer((client) => {
    const database = connect(join(target.host, `.s.PGSQL.${target.port}`))
    client.pipe(database).pipe(client)
    client.on('error', () => database.destroy()).on('close', () => database.destroy())
    database.on('error', () => client.destroy()).on('close', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onEnd(() => void server.close())
  const { port } = server.address() as AddressInfo
  return {
    url: `postgresql://${first.user}@127.0.0.1:${port}/${first.database}`,
    lead: (to: EmbeddedConnection) => void (target = to),
  }
}

type Answered = { at: number; end: number; status: number }
type Write = Answered & { id: string; isRead: boolean }

/** The primary becomes a standby, the standby the primary, and the address leads to the wrong one for a while. */
export const proof: Proof = {
  name: 'failover',
  bar: `while its address leads to a standby, Docket shows nothing old and /readyz answers 503; all writes succeed from at most ${recoverWithinMs / 1_000} s after new connections reach the new primary`,
  fault,
  run: async ({ planted }) => {
    const service = await exportService()
    const [one, other] = [temporaryFolder(), temporaryFolder()]
    const fresh = await startServer(one)
    await fresh.stop()
    await cp(join(one, 'postgres'), join(other, 'postgres'), { recursive: true })
    const primary = await startServer(one)
    const standby = await startServer(other, primary.connection)
    const address = await serviceAddress(primary.connection)
    const env = {
      ADMIN_API_URL: service.url,
      ADMIN_API_KEY: 'prove_key-0123456789',
      LOCAL_ADMIN_API: 'true',
      LOG_LEVEL: 'warn',
      DATABASE_URL: address.url,
    }
    const docket = await startDocket(env, planted ? [fault] : [])
    const { client } = docket

    const { items } = await client.ask<{ items: { connectionId: string; baseUrl: string | null }[] }>(
      'GET',
      '/api/connections',
    )
    const connectionId = items.find(({ baseUrl }) => baseUrl === service.url)?.connectionId

    const writes: Write[] = []
    const probes: (Answered & { text: string })[] = []
    let ended = false
    const write = async (nth: number) => {
      for (let n = 0; !ended; n += 1) {
        const at = performance.now()
        const body = { requestId: randomUUID(), domain: `docs-${nth}-${n}.example.com`, connectionId }
        const response = await client.post('/api/static-exports', body)
        const answer = (await response.json()) as { export?: { exportId: string } }
        const end = performance.now()
        const id = answer.export?.exportId ?? ''
        // What was acknowledged is there for the next reader.
        const read = response.ok ? await client.get(`/api/static-exports/${id}`) : null
        await read?.arrayBuffer()
        writes.push({ at, end, status: response.status, id, isRead: read?.status !== 404 })
        await delay(pauseMs)
      }
    }
    const probe = async () => {
      while (!ended) {
        const at = performance.now()
        const response = await client.get('/readyz')
        const text = await response.text()
        probes.push({ at, end: performance.now(), status: response.status, text })
        await delay(250)
      }
    }
    const all = Promise.all([...Array.from({ length: writers }, (_, nth) => write(nth)), probe()])

    await delay(4_000)
    const stopping = performance.now()
    await primary.stop()
    await query(standby.connection, 'select pg_promote()')
    const former = await startServer(one, standby.connection, true)
    const isStandby = await query(former.connection, 'select pg_is_in_recovery() as is')
    const demoted = performance.now()
    // The socket of the old primary is where the address leads, as before.
    address.lead(former.connection)
    await delay(standbyMs)
    address.lead(standby.connection)
    const switched = performance.now()
    await delay(afterMs)
    ended = true
    await all

    const within = <T extends Answered>(list: T[], from: number, to = Infinity) =>
      list.filter(({ at, end }) => at >= from && end < to)
    const failed = within(writes, switched).filter(({ status }) => status !== 201)
    const recoveredMs = Math.max(0, ...failed.map(({ at }) => at - switched))
    const before = within(writes, 0, stopping).filter(({ status }) => status === 201)
    const during = within(writes, demoted, switched)
    const after = within(writes, switched + recoverWithinMs)
    const acknowledged = writes.filter(({ status }) => status === 201)
    const kept = new Set(
      (await query(standby.connection, 'select export_id as id from static_exports')).map(({ id }) => id),
    )
    const list = (answers: Answered[]) => [...new Set(answers.map(({ status }) => status))].join()
    const whileStandby = within(probes, demoted, switched)
    const lines = docket.wrote()
    const wrong = [
      ...(isStandby[0]?.is === true ? [] : ['the old primary did not become a standby']),
      ...(before.length < writers ? [`only ${before.length} writes succeeded before`] : []),
      ...(during.some(({ status }) => status !== 503) ? [`writes were answered ${list(during)} by a standby`] : []),
      ...(recoveredMs > recoverWithinMs
        ? [`writes failed until ${(recoveredMs / 1_000).toFixed(1)} s after the switch`]
        : []),
      ...(after.length < writers ? ['no writes came after the switch'] : []),
      ...(acknowledged.some(({ isRead }) => !isRead) ? ['a read was older than an acknowledged write'] : []),
      ...(acknowledged.some(({ id }) => !kept.has(id)) ? ['an acknowledged write is gone'] : []),
      ...(list(whileStandby) === '503' && whileStandby.some(({ text }) => text.includes('read-only'))
        ? []
        : [`/readyz answered ${list(whileStandby)} on the standby`]),
      ...(list(within(probes, switched + recoverWithinMs)) === '200' ? [] : ['/readyz is not 200 after the switch']),
      ...(lines.includes('[object') ? ['a log line has no cause'] : []),
    ]
    const code = await docket.stop()
    if (code !== 0) wrong.push(`Docket ended with ${code}`)
    return {
      ok: wrong.length === 0,
      figure: `${wrong.length} things went wrong${wrong.length === 0 ? '' : ` (${wrong.join('; ')})`}; ${before.length} writes before, ${during.length} × 503 at the standby, the last failed ${(recoveredMs / 1_000).toFixed(2)} s after the switch, ${after.length} after that`,
    }
  },
}
