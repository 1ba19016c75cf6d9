import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findRunningServer } from '#packages/embedded-postgres/src/server.ts'
import { findSurvivors } from '#packages/embedded-postgres/src/survivors.ts'
import { type RunningDocket, startDocket, temporaryFolder } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { exportRows, halves } from './database-rows.ts'
import { exportService } from './export-service.ts'
import { type Ledger, openLedger } from './ledger.ts'

const allRounds = 50
// Two kinds of kills: Docket alone, and Docket with its database.
const quickRounds = 2
const writesPerRound = 10
const writers = 4

// Acknowledges writes before they are on disk, so they are lost with the processes of PostgreSQL.
const fault: Fault = {
  file: 'embedded-postgres/src/server.ts',
  instead: "  listen_addresses: '',",
  write: "  listen_addresses: '', synchronous_commit: 'off', wal_writer_delay: '10s',",
}

/** Makes concurrent changes until the process ends. Returns other errors. */
const work = async (docket: RunningDocket, ledger: Ledger, killed: () => boolean): Promise<string[]> => {
  const wrong: string[] = []
  const write = async () => {
    for (;;)
      try {
        await ledger.change(docket.client)
      } catch (error) {
        // fetch says so when no answer came.
        if (!(error instanceof TypeError) && !killed()) wrong.push(String(error))
        return
      }
  }
  await Promise.all(Array.from({ length: writers }, write))
  return wrong
}

const until = async (reached: () => boolean, withinMs: number): Promise<void> => {
  const deadline = performance.now() + withinMs
  while (!reached() && performance.now() < deadline) await delay(2)
}

/**
 * Real processes with the embedded PostgreSQL, killed in the middle of changes: Docket alone, and with every process of
 * its database.
 */
export const proof: Proof = {
  name: 'kill-9',
  bar: `of at least ${allRounds * writesPerRound} writes acknowledged over ${allRounds} kill -9 none is lost, nothing is half done, and nothing was started upstream more often than clicked`,
  fault,
  run: async ({ planted, quick }) => {
    const rounds = quick ? quickRounds : allRounds
    const service = await exportService()
    const dataDir = join(temporaryFolder(), 'data')
    const ledger = openLedger()
    const wrong: string[] = []
    const start = () => {
      const env = {
        DATA_DIR: dataDir,
        ADMIN_API_URL: service.url,
        ADMIN_API_KEY: 'prove_key-0123456789',
        ADMIN_API_CALLS_PER_HOUR: '1000000',
        LOG_LEVEL: 'error',
      }
      return startDocket(env, planted ? [fault] : [])
    }
    const check = async () => {
      const connection = (await findRunningServer(dataDir))!
      wrong.push(...(await ledger.lost(connection)), ...(await halves(connection)))
      const domains = new Set((await exportRows(connection)).map(({ domain }) => domain))
      for (const [domain, times] of service.starts) {
        if (times > 1) wrong.push(`${domain} was started ${times} times`)
        if (!domains.has(domain)) wrong.push(`${domain} was started without a record`)
      }
    }
    let round = 0
    for (; round < rounds && wrong.length === 0; round += 1) {
      const docket = await start()
      await check()
      if (wrong.length > 0) {
        await docket.stop()
        break
      }
      const before = ledger.acknowledged()
      let killed = false
      const working = work(docket, ledger, () => killed)
      await until(() => ledger.acknowledged() >= before + writesPerRound, 120_000)
      await delay(Math.random() * 200)
      const victims = round % 2 === 0 ? [] : await findSurvivors(join(dataDir, 'postgres'))
      killed = true
      for (const pid of victims) process.kill(pid, 'SIGKILL')
      await docket.stop('SIGKILL')
      wrong.push(...(await working))
    }
    if (wrong.length === 0) {
      const last = await start()
      await check()
      await last.stop()
    }
    const acknowledged = ledger.acknowledged()
    const enough = acknowledged >= rounds * writesPerRound && round === rounds
    const upstream = [...service.starts.values()].reduce((sum, times) => sum + times, 0)
    if (upstream > ledger.clicks()) wrong.push(`${upstream} starts upstream for ${ledger.clicks()} clicks`)
    return {
      ok: wrong.length === 0 && enough,
      figure: `${wrong.length} of ${acknowledged} acknowledged writes lost or done by halves over ${round} kill -9${wrong.length === 0 ? '' : `: ${wrong.slice(0, 3).join('; ')}`}; ${upstream} starts upstream for ${ledger.clicks()} clicks`,
    }
  },
}
