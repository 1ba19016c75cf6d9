const MiB = 1024 ** 2
const GiB = 1024 ** 3

/** Bounds of one sandbox. Bytes by default. */
export const sandboxLimits = {
  file: 256 * MiB,
  /** Size of the private `/tmp`, which is memory. */
  tmp: 512 * MiB,
  /** Size of the private `/dev/shm`, which is memory. */
  shm: 64 * MiB,
  /** Memory of all processes together, without the two folders above. */
  memory: 4 * GiB,
  /** Processes and threads. The kernel refuses more than twice as many, so that a fork bomb cannot outrun the watch. */
  tasks: 1024,
  checkout: 2 * GiB,
  entries: 500_000,
  /** Disk space that must stay free. On a disk smaller than ten times this, it is a tenth of the disk. */
  freeDisk: GiB,
}

export type SandboxLimits = typeof sandboxLimits
