import { mkdir, copyFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { seccompFilter } from '#seccomp/filter.ts'
import { prepareBubblewrapStart } from './bubblewrap-arguments.ts'
import { sandboxLimits, type SandboxLimits } from './limits.ts'
import { startAllowListProxy } from './network/allow-list-proxy.ts'
import type { NetworkRules } from './network/check-destination.ts'
import { placeNode, placeProgram } from './program/place-program.ts'
import { giveFolderTo, pickSandboxUser } from './sandbox-user.ts'
import { cannotSandbox, type SandboxEnd, superviseBubblewrap } from './supervise-bubblewrap.ts'
import { isWithin, systemFolders } from './system-folders.ts'

export type SandboxOrder = {
  words: readonly [string, ...string[]]
  input: string
  /** Belongs to the command's user, and contains a copy of the program if needed. */
  scratch: string
  /** Folder below `scratch` that the command sees as `/work` and may write. */
  checkout: string
  /** Folders that the command never sees, even below a system folder. */
  hidden: readonly string[]
  /** Hosts that the command may reach, or opens the server on a socket that answers at `sandboxOrigin`. When absent, it has no network. */
  network?: NetworkRules | ((socketPath: string) => Promise<{ close(): void }>)
  /** Folder below `scratch` that the command reads as `/run/docket`. When absent, that folder is empty. */
  docket?: string
  /** Folder below `scratch` that the command sees as `/work/.git`, and may write. */
  git?: string
  variables?: Readonly<Record<string, string>>
  /** Folders of this machine's settings that the command also reads, such as `/etc/fonts`. Missing ones are left out. */
  settingFolders?: readonly string[]
  /** Also receives sentences about refused connections. */
  onOutput?(chunk: Buffer, from: 'stdout' | 'stderr' | 'network'): void
}

/** Bounds and user of a sandbox. Only tests change the defaults. */
export type SandboxOptions = { limits?: SandboxLimits; pickUser?: typeof pickSandboxUser }

/**
 * Runs a command in a bubblewrap sandbox, never as root, and resolves once it and everything it started are gone. Rejects with a
 * sentence for the reader when there is no sandbox or a limit is exceeded, and with the signal's reason on abort; kills everything then.
 */
export const runInSandbox = async (
  order: SandboxOrder,
  signal: AbortSignal,
  options: SandboxOptions = {},
): Promise<SandboxEnd> => {
  const { limits = sandboxLimits, pickUser = pickSandboxUser } = options
  const { words, input, scratch, checkout, hidden, network, git = null, variables = {}, onOutput = () => {} } = order
  const { docket = join(scratch, 'docket'), settingFolders = [] } = order
  const [name, ...others] = words
  const filter = filterForThisMachine()
  const places = await Promise.all([...hidden, dirname(scratch)].map((path) => realpath(path).catch(() => path)))
  const inSystem = places.filter((path) => isWithin(path, systemFolders))
  // A folder inside a covered one is gone already.
  const covered = inSystem.filter((path) => !isWithin(path, inSystem))
  const user = await pickUser()
  const around = { scratch, hidden: places.slice(0, -1), covered, user }
  const program = await placeProgram(name, around)
  await mkdir(docket, { recursive: true })
  if (network) await copyFile(new URL(import.meta.resolve('./network/forwarder.ts')), join(docket, 'forwarder.ts'))
  const forwarder = network ? { node: await placeNode(around) } : null
  const start = { words: others, program, checkout, docket, forwarder, git, variables, covered, settingFolders, limits }
  const { parameters, settings, files } = await prepareBubblewrapStart(start)
  const onRefusal = (sentence: string) => onOutput(Buffer.from(`${sentence}\n`), 'network')
  const socket = join(docket, 'proxy.sock')
  const proxy =
    typeof network === 'function'
      ? await network(socket)
      : network && (await startAllowListProxy(socket, network, onRefusal))
  try {
    if (user) await giveFolderTo(user, scratch)
    signal.throwIfAborted()
    const contents = { filter, settings, files }
    const folders = git === null ? [checkout] : [checkout, git]
    const bubblewrap = { parameters, contents, input, user, folders, limits }
    return await superviseBubblewrap(bubblewrap, onOutput, signal)
  } finally {
    proxy?.close()
  }
}

const filterForThisMachine = () => {
  const { arch } = process
  if (arch === 'x64' || arch === 'arm64') return seccompFilter(arch)
  throw new Error(`${cannotSandbox}: there is no filter of system calls for ${arch}, only for x64 and arm64.`)
}
