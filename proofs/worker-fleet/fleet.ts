import { fork, type ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { onEnd } from '#bench/harness/cleanup.ts'
import { plainEnvironment } from '#apps/bff/src/testing/launch.ts'
import { plantedEnvironment, type Fault } from '#proofs/harness/plant.ts'
import { timeline, type FleetEvent } from './timeline.ts'

const program = new URL('fleet-worker.ts', import.meta.url).pathname
/** Longer than the queue waits for a heartbeat, so that others take the work meanwhile. */
const hangMs = 22_000

type Member = { child: ChildProcess; workers: string[]; isHanging: boolean; killedAt: number }

/** Processes of five workers each, which die and hang. */
export const startFleet = async (options: {
  databaseUrl: string
  processes: number
  workersEach: number
  perSite: number
  faults: readonly Fault[]
}) => {
  const { databaseUrl, processes, workersEach, perSite, faults } = options
  const told = timeline()
  let started = 0
  const start = (): { member: Member; ready: Promise<void> } => {
    const args = [workersEach, perSite, (started += 1)].map(String)
    const env = { ...plainEnvironment(), ...plantedEnvironment(faults), DATABASE_URL: databaseUrl }
    const child = fork(program, args, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    onEnd(() => void child.kill('SIGKILL'))
    const member: Member = { child, workers: [], isHanging: false, killedAt: 0 }
    const ready = Promise.withResolvers<void>()
    child.on('message', (event: FleetEvent) => {
      told.tell(event)
      if (event.kind === 'ready' && member.workers.push(event.worker) === workersEach) ready.resolve()
    })
    // After everything that it sent before it died.
    child.on('disconnect', () => {
      for (const worker of member.workers) told.die(worker, member.killedAt)
    })
    return { member, ready: ready.promise }
  }
  const first = Array.from({ length: processes }, start)
  const members = first.map(({ member }) => member)
  await Promise.all(first.map(({ ready }) => ready))

  const pick = () => {
    const able = members.filter(({ isHanging, workers }) => !isHanging && workers.length === workersEach)
    return able[Math.floor(Math.random() * able.length)] ?? null
  }
  return {
    told,
    /** Kills a process at random, and starts another one in its place. The number of workers that died. */
    kill: (): number => {
      const member = pick()
      if (member === null) return 0
      member.killedAt = Date.now()
      member.child.kill('SIGKILL')
      members[members.indexOf(member)] = start().member
      return member.workers.length
    },
    /** Stops a process at random until others have its work; then it goes on as if nothing had happened. */
    hang: (): number => {
      const member = pick()
      if (member === null) return 0
      member.isHanging = true
      member.child.kill('SIGSTOP')
      const from = Date.now()
      void delay(hangMs, undefined, { ref: false }).then(() => {
        for (const worker of member.workers) told.hang(worker, { from, until: Date.now() })
        member.child.kill('SIGCONT')
        member.isHanging = false
      })
      return member.workers.length
    },
    /** Ends all processes at once. */
    end: () => {
      for (const { child } of members) child.kill('SIGKILL')
    },
  }
}
