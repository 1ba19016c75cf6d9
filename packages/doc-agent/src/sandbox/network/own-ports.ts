import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Ports that this process listens on, as the kernel lists them: Docket's own, the local Admin API's, and that of metrics. */
export const findOwnPorts = (): ReadonlySet<number> => {
  const sockets = new Set(readdirSync('/proc/self/fd').flatMap(readSocketInode))
  const lines = ['tcp', 'tcp6'].flatMap((family) => readTable(family).split('\n').slice(1))
  const ports = lines.flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/)
    return state === listening && sockets.has(inode) ? [Number.parseInt(local.split(':').at(-1) ?? '', 16)] : []
  })
  return new Set(ports)
}

/** TCP_LISTEN in `/proc/net/tcp`. */
const listening = '0A'

const readSocketInode = (descriptor: string): string[] => {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${descriptor}`))?.slice(1) ?? []
  } catch {
    // The descriptor that listed the folder is closed again.
    return []
  }
}

const readTable = (family: string) => {
  try {
    return readFileSync(`/proc/self/net/${family}`, 'utf8')
  } catch {
    // A kernel without IPv6 has no table of it.
    return ''
  }
}
