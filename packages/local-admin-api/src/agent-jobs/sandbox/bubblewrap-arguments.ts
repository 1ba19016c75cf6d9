import { lstat, readlink, realpath } from 'node:fs/promises'
import { isAbsolute, sep } from 'node:path'

/** What a sandboxed command may see and use. Paths are absolute. */
export type SandboxOrder = {
  words: readonly [string, ...string[]]
  /** Writable, and seen as `/work`. */
  folder: string
  network: boolean
  /** Never to be seen, also where it lies in a folder that is. */
  hidden: readonly string[]
}

/** Largest file the command may write, and its `/tmp`. Bytes. */
const limits = { file: 256 * 1024 * 1024, tmp: 512 * 1024 * 1024, shm: 64 * 1024 * 1024 }

const environment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/tmp/home',
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
  USER: 'agent',
  LOGNAME: 'agent',
}

/** Folders of programs and libraries. On most systems all but the first are links into it. */
const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']

/** The little of /etc that programs need to start, and with the network what they need to find and trust a host. Nothing secret. */
const settings = ['ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'alternatives', 'localtime', 'timezone', 'mime.types']
const networkSettings = [
  'resolv.conf',
  'hosts',
  'nsswitch.conf',
  'services',
  'protocols',
  'ssl/certs',
  'ssl/openssl.cnf',
  'ca-certificates',
  'pki/tls/certs',
  'pki/ca-trust/extracted',
]

/**
 * Arguments for bubblewrap: namespaces of its own for everything, no capability, an environment that is named here in full, the system's
 * programs to read, `folder` to write and a private `/tmp`. The status goes to file descriptor 3.
 */
export const bubblewrapArguments = async ({ words, folder, network, hidden }: SandboxOrder): Promise<string[]> => {
  const covered = hidden.filter((path) => isInSystem(path))
  return [
    '--unshare-user',
    '--unshare-all',
    ...(network ? ['--share-net'] : []),
    '--disable-userns',
    '--cap-drop',
    'ALL',
    '--uid',
    '1000',
    '--gid',
    '1000',
    '--hostname',
    'sandbox',
    // A terminal could be typed into, and a command that is left behind would go on.
    '--new-session',
    '--die-with-parent',
    '--json-status-fd',
    '3',
    '--clearenv',
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
    ...(await Promise.all(systemFolders.map(mountSystemFolder))).flat(),
    ...(await Promise.all([...settings, ...(network ? networkSettings : [])].map(mountSetting))).flat(),
    ...covered.flatMap((path) => ['--tmpfs', path]),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--size',
    String(limits.shm),
    '--tmpfs',
    '/dev/shm',
    '--remount-ro',
    '/dev',
    '--size',
    String(limits.tmp),
    '--tmpfs',
    '/tmp',
    '--dir',
    '/tmp/home',
    ...(await mountProgram(words[0], covered)),
    ...covered.flatMap((path) => ['--remount-ro', path]),
    '--bind',
    folder,
    '/work',
    '--chdir',
    '/work',
    '--remount-ro',
    '/',
    '--',
    // The limits hold for the command and all that it starts. Blocks of 512 bytes.
    '/bin/sh',
    '-c',
    `ulimit -c 0; ulimit -f ${limits.file / 512}; exec "$@"`,
    'sh',
    ...words,
  ]
}

const isInSystem = (path: string) => systemFolders.some((folder) => path.startsWith(folder + sep))

const mountSystemFolder = async (folder: string) => {
  const found = await lstat(folder).catch(() => null)
  if (!found) return []
  return found.isSymbolicLink() ? ['--symlink', await readlink(folder), folder] : ['--ro-bind', folder, folder]
}

/** By its real place, because a link may lead to what is not mounted. */
const mountSetting = async (name: string) => {
  const place = await realpath(`/etc/${name}`).catch(() => null)
  return place === null ? [] : ['--ro-bind', place, `/etc/${name}`]
}

/** The program itself, when it is not among those that are seen anyway; nothing beside it. */
const mountProgram = async (program: string, covered: readonly string[]) => {
  const isCovered = covered.some((path) => program.startsWith(path + sep))
  if (!isAbsolute(program) || (isInSystem(program) && !isCovered)) return []
  const place = await realpath(program).catch(() => {
    throw new Error(`The command of agent jobs does not exist: ${program}`)
  })
  return ['--ro-bind', place, program]
}
