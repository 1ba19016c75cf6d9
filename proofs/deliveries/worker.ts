import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { plant } from '#proofs/harness/plant.ts'
import { stepCounters } from './step-counters.ts'

// Delivers a site, and is killed right before one of its steps: `TARGET`, `BUILD` and `KILL_AT` say what and when.
const { TARGET = '', BUILD = '', KILL_AT = '' } = process.env
let left = Number(KILL_AT)

/** Ends the process before the step that is asked for. */
const step = () => {
  if (left === 0) process.kill(process.pid, 'SIGKILL')
  left -= 1
}

/** Counts every call, and every piece of a file. */
const countSteps = <T extends Record<string, unknown>>(files: T): T =>
  Object.fromEntries(
    Object.entries(files).map(([name, value]) => {
      if (typeof value !== 'function' || name === 'close') return [name, value]
      return [
        name,
        (...args: unknown[]) => {
          step()
          return (value as (...args: unknown[]) => unknown)(...args)
        },
      ]
    }),
  ) as T

// Git is a program, so each start of one is a step, and so is the moment when it works.
const { spawn } = childProcess
childProcess.spawn = ((...args: Parameters<typeof spawn>) => {
  step()
  const child = spawn(...args)
  child.stdout?.once('readable', step)
  return child
}) as typeof spawn
syncBuiltinESMExports()

Object.assign(globalThis, { countSteps })
plant(stepCounters)
const { openTarget, buildSite } = await import('./targets.ts')
const target = await openTarget(JSON.parse(TARGET) as never)
const site = buildSite(BUILD)
/** Stops in the middle of the file, too. */
async function* readInPieces(path: string) {
  for await (const chunk of (await site.open(path)) as AsyncIterable<Buffer>) {
    yield chunk.subarray(0, 5)
    await setImmediate()
    step()
    yield chunk.subarray(5)
  }
}
const open = (path: string) => Promise.resolve(Readable.from(readInPieces(path)))
await target.deliver({ ...site, open }, { onProgress: () => {}, signal: new AbortController().signal })
await target.close()
