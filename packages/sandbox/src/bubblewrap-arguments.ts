import { readFile, realpath } from 'node:fs/promises'
import type { SandboxLimits } from './limits.ts'
import { type Mount, type PlacedProgram, systemPath } from './program/place-program.ts'
import { isWithin, mountSystemFolder, systemFolders } from './system-folders.ts'

export const descriptors = { status: 3, filter: 4, go: 5, settings: 6, firstFile: 7 } as const

export const docketFolder = '/run/docket'
const proxyPort = 3128

const both = (name: string, value: string): [string, string][] => [
  [name, value],
  [name.toLowerCase(), value],
]

const environment = {
  HOME: '/tmp/home',
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
  USER: 'agent',
  LOGNAME: 'agent',
}

/** Leads to the only server that a command with a network reaches. */
export const sandboxOrigin = `http://127.0.0.1:${proxyPort}`
const certificates = '/etc/ssl/certs/ca-certificates.crt'

/** Sends every connection of usual programs to the proxy, which may also lead to a named host on this machine. */
const proxyEnvironment = {
  ...Object.fromEntries(['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => both(name, sandboxOrigin))),
  ...Object.fromEntries(both('NO_PROXY', '')),
  NODE_USE_ENV_PROXY: '1',
  NODE_USE_SYSTEM_CA: '1',
  SSL_CERT_FILE: certificates,
}

export const reservedNames: ReadonlySet<string> = new Set(
  ['PATH', ...Object.keys({ ...environment, ...proxyEnvironment })].map((name) => name.toUpperCase()),
)

const settings = ['ld.so.cache', 'localtime', 'timezone', 'mime.types']

/** Files of /etc that are made for the sandbox: its one user, and this machine by name. */
const ownSettings = {
  passwd: 'agent:x:1000:1000::/tmp/home:/bin/sh\n',
  group: 'agent:x:1000:\n',
  hosts: '127.0.0.1 localhost\n::1 localhost\n',
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\n',
}

const certificateFiles = [
  certificates,
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

/** Arguments of bubblewrap, those for the pipe of settings, and the contents of files, one for each descriptor from `firstFile` on. */
export type BubblewrapStart = { parameters: string[]; settings: Buffer; files: Buffer[] }

/** Everything that is not mounted here is absent or read-only: own namespaces, no capability, `/work` to write, a private `/tmp`. */
export const prepareBubblewrapStart = async (order: {
  words: readonly string[]
  program: PlacedProgram
  checkout: string
  /** Folder of this machine mounted as `/run/docket`. If it contains `node` and a socket, the command has a proxy. */
  docket: string
  forwarder: { node: PlacedProgram } | null
  /** Folder that is mounted as `/work/.git`. Null for none. */
  git: string | null
  /** They are never passed as arguments, because the process list would show them. */
  variables: Readonly<Record<string, string>>
  covered: readonly string[]
  settingFolders: readonly string[]
  limits: SandboxLimits
}): Promise<BubblewrapStart> => {
  const { words, program, checkout, docket, forwarder, git, variables, covered, settingFolders, limits } = order
  const files: Buffer[] = []
  const copySetting = async (name: string) => {
    const place = await realpath(`/etc/${name}`).catch(() => null)
    if (place === null) return []
    if (isWithin(place, systemFolders)) return ['--symlink', place, `/etc/${name}`]
    return write(await readFile(place), `/etc/${name}`)
  }
  const write = (content: Buffer, path: string) => {
    files.push(content)
    return ['--file', String(descriptors.firstFile + files.length - 1), path]
  }
  const settingArguments: string[] = []
  for (const name of settings) settingArguments.push(...(await copySetting(name)))
  for (const [name, content] of Object.entries(ownSettings))
    settingArguments.push(...write(Buffer.from(content), `/etc/${name}`))
  const authorities = await readFirst(certificateFiles)
  if (forwarder !== null && authorities !== null) settingArguments.push(...write(authorities, certificates))
  const mounts = removeDuplicateMounts([...program.mounts, ...(forwarder?.node.mounts ?? [])])
  const environmentInside = {
    PATH: [...new Set([...program.path, ...systemPath])].join(':'),
    ...variables,
    ...environment,
    ...(forwarder && proxyEnvironment),
  }
  const parameters = [
    ...'--unshare-user --unshare-all --disable-userns --cap-drop ALL --uid 1000 --gid 1000 --hostname sandbox'.split(
      ' ',
    ),
    // The command could type into a terminal, and would survive the end of this process.
    ...`--new-session --die-with-parent --json-status-fd ${descriptors.status}`.split(' '),
    ...`--seccomp ${descriptors.filter} --block-fd ${descriptors.go} --clearenv`.split(' '),
    ...`--args ${descriptors.settings}`.split(' '),
    ...(await Promise.all([...systemFolders, ...settingFolders].map(mountSystemFolder))).flat(),
    ...settingArguments,
    ...covered.flatMap((path) => ['--tmpfs', path]),
    ...`--proc /proc --dev /dev --size ${limits.shm} --tmpfs /dev/shm`.split(' '),
    ...`--size ${limits.tmp} --tmpfs /tmp --dir /tmp/home`.split(' '),
    ...mounts.flatMap(({ source, target }) => ['--ro-bind', source, target]),
    '--ro-bind',
    docket,
    docketFolder,
    '--bind',
    checkout,
    '/work',
    ...(git === null ? [] : ['--bind', git, '/work/.git']),
    '--chdir',
    '/work',
    // The kernel's settings below /proc/sys are files that their owner may write.
    ...[...covered, '/proc', '/dev', '/'].flatMap((path) => ['--remount-ro', path]),
    '--',
    ...wrapWithLimits(limits),
    ...(forwarder === null ? [] : wrapWithForwarder(forwarder.node.words)),
    ...program.words,
    ...words,
  ]
  const inPipe = Object.entries(environmentInside).flatMap(([name, value]) => ['--setenv', name, value])
  return { parameters, settings: Buffer.from(inPipe.map((word) => `${word}\0`).join('')), files }
}

const readFirst = async (paths: readonly string[]): Promise<Buffer | null> => {
  for (const path of paths) {
    const content = await readFile(path).catch(() => null)
    if (content !== null) return content
  }
  return null
}

const removeDuplicateMounts = (mounts: readonly Mount[]) => [
  ...new Map(mounts.map((mount) => [mount.target, mount])).values(),
]

/** Files count in blocks of 512 bytes; dash calls the number of processes `-p`. */
const wrapWithLimits = ({ file, tasks }: SandboxLimits) => [
  '/bin/sh',
  '-c',
  `ulimit -c 0; ulimit -f ${file / 512}; ulimit -u ${tasks * 2} 2>/dev/null || ulimit -p ${tasks * 2}; exec "$@"`,
  'sh',
]

const wrapWithForwarder = (node: readonly string[]) => [
  '/bin/sh',
  '-c',
  `mkfifo /tmp/.ready && { "$0" "$1" ${proxyPort} "$2" >/tmp/.ready 2>/dev/null </dev/null & } && read -r ready </tmp/.ready; rm -f /tmp/.ready; test "$ready" = ready || { echo "The way to the network could not be started."; exit 126; }; shift 2; exec "$@"`,
  ...node,
  `${docketFolder}/forwarder.ts`,
  `${docketFolder}/proxy.sock`,
]
