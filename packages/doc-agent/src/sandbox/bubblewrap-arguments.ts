import { readFile, realpath } from 'node:fs/promises'
import type { SandboxLimits } from './limits.ts'
import { isWithin, mountSystemFolder, type PlacedProgram, systemFolders } from './system-folders.ts'

/** File descriptors that bubblewrap reads or writes; the contents of files follow them. */
export const descriptors = { status: 3, filter: 4, go: 5, firstFile: 6 } as const

const environment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/tmp/home',
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
  USER: 'agent',
  LOGNAME: 'agent',
}

/** The few files of /etc that programs need to start. None is secret. */
const settings = ['ld.so.cache', 'localtime', 'timezone', 'mime.types']

/** Arguments of bubblewrap, and the contents of files it copies, one for each descriptor from `firstFile` on. */
export type BubblewrapStart = { parameters: string[]; files: Buffer[] }

/**
 * Arguments for bubblewrap: own namespaces, no capability, the environment above, system programs to read, the checkout to write as
 * `/work`, and a private `/tmp`. All else is read-only or absent, and no mount shows a path of the host except system folders and the
 * checkout.
 */
export const bubblewrapStart = async (order: {
  /** Arguments of the program. */
  words: readonly string[]
  program: PlacedProgram
  checkout: string
  /** Folders to cover with an empty one. */
  covered: readonly string[]
  limits: SandboxLimits
}): Promise<BubblewrapStart> => {
  const { words, program, checkout, covered, limits } = order
  const files: Buffer[] = []
  const copySetting = async (name: string) => {
    const place = await realpath(`/etc/${name}`).catch(() => null)
    if (place === null) return []
    if (isWithin(place, systemFolders)) return ['--symlink', place, `/etc/${name}`]
    files.push(await readFile(place))
    return ['--file', String(descriptors.firstFile + files.length - 1), `/etc/${name}`]
  }
  const settingArguments: string[] = []
  for (const name of settings) settingArguments.push(...(await copySetting(name)))
  const parameters = [
    ...'--unshare-user --unshare-all --disable-userns --cap-drop ALL --uid 1000 --gid 1000 --hostname sandbox'.split(
      ' ',
    ),
    // A terminal could be typed into, and a command that is left behind would go on.
    ...`--new-session --die-with-parent --json-status-fd ${descriptors.status}`.split(' '),
    ...`--seccomp ${descriptors.filter} --block-fd ${descriptors.go} --clearenv`.split(' '),
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
    ...(await Promise.all(systemFolders.map(mountSystemFolder))).flat(),
    ...settingArguments,
    ...covered.flatMap((path) => ['--tmpfs', path]),
    ...`--proc /proc --dev /dev --size ${limits.shm} --tmpfs /dev/shm`.split(' '),
    ...`--size ${limits.tmp} --tmpfs /tmp --dir /tmp/home`.split(' '),
    ...(program.copy === null ? [] : ['--ro-bind', program.copy, program.program]),
    '--bind',
    checkout,
    '/work',
    '--chdir',
    '/work',
    // The kernel's settings below /proc/sys are files that their owner may write.
    ...[...covered, '/proc', '/dev', '/'].flatMap((path) => ['--remount-ro', path]),
    '--',
    ...withLimits(limits),
    program.program,
    ...words,
  ]
  return { parameters, files }
}

/**
 * A shell that sets limits for the command and all that it starts. Files count in blocks of 512 bytes; dash calls the number of
 * processes `-p`.
 */
const withLimits = ({ file, tasks }: SandboxLimits) => [
  '/bin/sh',
  '-c',
  `ulimit -c 0; ulimit -f ${file / 512}; ulimit -u ${tasks * 2} 2>/dev/null || ulimit -p ${tasks * 2}; exec "$@"`,
  'sh',
]
