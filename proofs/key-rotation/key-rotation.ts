import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { listenHere } from '#bench/harness/processes.ts'
import { isDatabaseLate, type DocketClient } from '#apps/bff/src/testing/docket-client.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { startDocket, temporaryFolder } from '#proofs/harness/docket.ts'
import type { Fault } from '#proofs/harness/plant.ts'
import { waysToReplace } from './replace-file.ts'

const kinds = ['main', 'read'] as const
type Kind = (typeof kinds)[number]
type Keys = Record<Kind, { good: Set<string>; newest: string; seenNewest: boolean }>

const allRounds = 3
const workers = 8
const randomId = /\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const newKey = (kind: Kind) => `adm_${kind}${randomBytes(18).toString('hex')}`

const fault: Fault = {
  file: 'ground/config/key-source.ts',
  instead: 'if (found !== last) last = await',
  write: 'if (found !== last) last = found\n      if (false) last = await',
}

/** Faults that the service observed. */
type Counts = { unknownKeys: string[]; rejected: number; late: number; calls: number }

/** Takes the keys that are good now. A request names, in its path or body, when its call was begun. */
const service = async (keys: Keys, counts: Counts): Promise<string> => {
  const ever = new Set<string>()
  const judge = (request: IncomingMessage): boolean => {
    const key = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    // Docket tests each key with a read of a random id.
    const isTest = randomId.test(request.url ?? '')
    const kind: Kind = (isTest ? key.startsWith('adm_read') : request.method === 'GET') ? 'read' : 'main'
    for (const { good } of Object.values(keys)) for (const one of good) ever.add(one)
    const { good, newest } = keys[kind]
    counts.calls += 1
    if (key === newest && !isTest) keys[kind].seenNewest = true
    if (good.has(key)) return true
    if (ever.has(key) && key.startsWith(`adm_${kind}`)) counts.late += 1
    else counts.unknownKeys.push(key.slice(0, 12))
    counts.rejected += 1
    return false
  }
  const server = createServer((request, response) => {
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    request.resume().once('end', () => {
      if (!judge(request)) return send(401, { error: `The key ${request.headers.authorization} is not valid.` })
      if (request.method === 'POST') return send(200, { jobId: `job-${counts.calls}` })
      return send(200, {
        status: 'archived',
        model: 'm',
        source: { repository: 'https://git.example.com/a/b', ref: null },
      })
    })
  })
  return `http://127.0.0.1:${await listenHere(server)}`
}

type Load = {
  failed: string[]
  startCount: () => number
  caughtUp: (startCount: number) => Promise<void>
  stop: () => Promise<void>
}

/** People who follow jobs and start exports without a pause. */
const load = (client: DocketClient): Load => {
  const failed: string[] = []
  const underWay = new Set<number>()
  let [startCount, stopped] = [0, false]
  const one = async (number: number): Promise<string | null> => {
    if (number % 4 === 0) {
      const response = await client.post('/api/static-exports', {
        requestId: crypto.randomUUID(),
        domain: `site${number}.example.com`,
      })
      const body = await response.text()
      if (isDatabaseLate(response.status, body)) return null
      const { export: record } = JSON.parse(body) as { export?: { state: string } }
      // A slow machine answers with the intent before the outcome; the service counts a key that it rejects.
      const isStarted = record?.state === 'accepted' || record?.state === 'starting'
      return isStarted ? null : `start ${response.status} ${record?.state}`
    }
    const response = await client.post('/api/agent-jobs', { jobs: [{ projectId: 'p', id: `job-${number}` }] })
    const body = await response.text()
    if (isDatabaseLate(response.status, body)) return null
    const { results } = JSON.parse(body) as { results?: { failure: { code: string } | null }[] }
    return results?.[0]?.failure === null ? null : `follow ${response.status} ${results?.[0]?.failure?.code}`
  }
  const work = async () => {
    while (!stopped) {
      const number = (startCount += 1)
      underWay.add(number)
      const failure = await one(number).catch((error: unknown) => String(error))
      underWay.delete(number)
      if (failure !== null) failed.push(failure)
    }
  }
  const all = Promise.all(Array.from({ length: workers }, work))
  return {
    failed,
    startCount: () => startCount,
    caughtUp: async (until) => {
      while ([...underWay].some((number) => number <= until)) await delay(5)
    },
    stop: async () => {
      stopped = true
      await all
    },
  }
}

const reached = async (condition: () => boolean, what: string): Promise<void> => {
  for (let tries = 0; !condition(); tries += 1) {
    if (tries > 6_000) throw new Error(`${what} within 30 s`)
    await delay(5)
  }
}

/**
 * Both keys are replaced in every way while people work. The service takes the old key too until the new one was used
 * and what was under way then is done, as a correct rotation has it, and then never again.
 */
export const proof: Proof = {
  name: 'key-rotation',
  bar: 'no request carries a mixture, none fails, the old key is not used after the new one took effect, and none is printed',
  fault,
  run: async ({ planted, quick }) => {
    const rounds = quick ? 1 : allRounds
    const folders = { main: temporaryFolder(), read: temporaryFolder() }
    const files = { main: join(folders.main, 'key'), read: join(folders.read, 'key') }
    const first = { main: newKey('main'), read: newKey('read') }
    const used: string[] = Object.values(first)
    for (const kind of kinds) writeFileSync(files[kind], `${first[kind]}\n`)
    const initialKey = (kind: Kind) => ({ good: new Set([first[kind]]), newest: first[kind], seenNewest: false })
    const keys: Keys = { main: initialKey('main'), read: initialKey('read') }
    const counts: Counts = { unknownKeys: [], rejected: 0, late: 0, calls: 0 }
    const docket = await startDocket(
      {
        ADMIN_API_URL: await service(keys, counts),
        ADMIN_API_KEY_FILE: files.main,
        ADMIN_API_READ_KEY_FILE: files.read,
        ADMIN_API_KEY_PREFIX: 'adm',
        ADMIN_API_CALLS_PER_HOUR: '1000000',
      },
      planted ? [fault] : [],
    )
    const people = load(docket.client)
    let rotations = 0
    let ineffective = 0
    for (let round = 0; round < rounds; round += 1)
      for (const [way, replace] of Object.entries(waysToReplace))
        for (const kind of kinds) {
          const key = newKey(kind)
          used.push(key)
          Object.assign(keys[kind], { newest: key, seenNewest: false })
          keys[kind].good.add(key)
          await replace(files[kind], `${key}\n`)
          rotations += 1
          try {
            await reached(() => keys[kind].seenNewest, `${way} took no effect`)
          } catch {
            ineffective += 1
            continue
          }
          await people.caughtUp(people.startCount())
          keys[kind].good = new Set([key])
        }
    await delay(500)
    await people.stop()
    await docket.stop()
    const wrote = docket.wrote()
    const keysInLog = used.filter((key) => wrote.includes(key.slice(4, 24)) || wrote.includes(key.slice(-20))).length
    const { unknownKeys, late, calls } = counts
    const why = [...new Set(people.failed)].slice(0, 3).join(', ')
    return {
      ok: unknownKeys.length + late + people.failed.length + keysInLog + ineffective === 0 && calls > rotations * 5,
      figure: `${rotations} rotations under ${calls} calls: ${unknownKeys.length} with a mixture, ${late} with the old key too late, ${people.failed.length} failed${why === '' ? '' : ` (${why})`}, ${ineffective} without effect, ${keysInLog} keys printed`,
    }
  },
}
