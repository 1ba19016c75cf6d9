import type { Fault } from '#proofs/harness/plant.ts'
import type { CrashBench } from './bench.ts'

/** A row of the crash table. */
export type CrashRow = {
  /** What crashed, and how it ends. */
  name: string
  /** What is broken for `--planted`; the row must then reject. */
  faults: readonly Fault[]
  /** The exact place where a process is killed or misled, if it matters; `play` starts it that way. */
  crash?: Fault
  /** Rejects with a sentence when it does not end as it must. */
  play: (bench: CrashBench) => Promise<void>
}

/** A crash between two lines: the process that comes to `after` is killed right there. */
export const killedAfter = (file: string, after: string): Fault => ({
  file,
  instead: after,
  write: `${after}; globalThis.process.kill(globalThis.process.pid, 'SIGKILL'); for (;;);`,
})
