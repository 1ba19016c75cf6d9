import { readdirSync, readFileSync } from 'node:fs'

const closeOnExec = 0o2_000_000

/** File descriptors from `first` on that a child process would inherit, because whoever started this process left them open. */
export const findInheritedDescriptors = (first: number): number[] =>
  readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => descriptor >= first && isInherited(descriptor))

const isInherited = (descriptor: number) => {
  try {
    const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1] ?? '0'
    return (Number.parseInt(flags, 8) & closeOnExec) === 0
  } catch {
    // The descriptor that listed the folder is closed again.
    return false
  }
}
