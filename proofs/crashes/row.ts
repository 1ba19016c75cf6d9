import type { Fault } from '#proofs/harness/plant.ts'
import type { CrashBench } from './bench.ts'

/** A row of the crash table. */
export type CrashRow = {
  /** The crash and its expected end, as a sentence. */
  name: string
  /** The exact place where a process is killed or misled, if it matters; `play` starts it that way. */
  crash?: Fault
  /** Rejects with a sentence when the end is not as expected. */
  play: (bench: CrashBench) => Promise<void>
}

/** Kills the process right before the line `after`. */
export const killedAfter = (file: string, after: string): Fault => ({
  file,
  instead: after,
  write: `${after}; globalThis.process.kill(globalThis.process.pid, 'SIGKILL'); for (;;);`,
})
