import { execFile } from 'node:child_process'
import { chmod, constants, copyFile, mkdir, open, realpath, stat, lstat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { homedir } from 'node:os'
import type { SandboxUser } from '#sandbox-user.ts'
import { isWithin, systemFolders } from '#system-folders.ts'

const run = promisify(execFile)

export const systemPath: readonly string[] = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
]

export type Mount = { source: string; target: string }

export type PlacedProgram = { words: [string, ...string[]]; mounts: Mount[]; path: string[] }

type Around = {
  scratch: string
  /** No mount may contain one of these. */
  hidden: readonly string[]
  covered: readonly string[]
  user: SandboxUser | null
}

/**
 * Finds a program and mounts its folder read-only: a node package with its dependencies, a virtual environment, else the folder of the
 * file. Only the file itself is copied where that folder is too wide, such as a home. Includes the interpreter that the first line names.
 */
export const placeProgram = async (program: string, around: Around): Promise<PlacedProgram> => {
  const { covered } = around
  const found = isAbsolute(program) ? program : await findOnPath(program, around)
  const place = await realpath(found).catch(() => {
    throw new Error(`The command does not exist: ${basename(program)}.`)
  })
  const isSeen = (path: string) => isWithin(path, systemFolders) && !isWithin(path, covered)
  const placed = isSeen(found) && isSeen(place) ? { program: found, mounts: [] } : await mountProgram(place, around)
  const script = await readShebang(place)
  const plain: PlacedProgram = { words: [placed.program], mounts: placed.mounts, path: [] }
  if (script === null) return plain
  if (basename(script.interpreter) === 'env') {
    const [name = '', ...options] = script.argument.replace(/^-S\s+/, '').split(/\s+/)
    if (name === '' || (await findIn(systemPath, name, around)) !== null) return plain
    const own = await realpath(name === 'node' ? process.execPath : await findOnPath(name, around))
    const { program: at, mounts } =
      name === 'node' ? await mountFileAlone(own, name, around) : await mountProgram(own, around)
    return { words: [at, ...options, placed.program], mounts: [...placed.mounts, ...mounts], path: [dirname(at)] }
  }
  if (isSeen(script.interpreter)) return plain
  // A virtual environment finds itself by the path of its link, so this does not follow the link.
  const { program: at, mounts } = await mountProgram(script.interpreter, around)
  const isMounted = placed.mounts.some(({ target }) => mounts.some((other) => other.target === target))
  return {
    words: [at, ...script.argument.split(' ').filter(Boolean), placed.program],
    mounts: isMounted ? placed.mounts : [...placed.mounts, ...mounts],
    path: [],
  }
}

export const placeNode = async (around: Around): Promise<PlacedProgram> => {
  const { program, mounts } = await mountFileAlone(await realpath(process.execPath), 'node', around)
  return { words: [program], mounts, path: [] }
}

const pathExists = (path: string) =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )

const findIn = async (folders: readonly string[], name: string, { covered }: Around): Promise<string | null> => {
  for (const folder of folders) {
    const path = join(folder, name)
    if (!isWithin(path, covered) && (await pathExists(path))) return path
  }
  return null
}

const findOnPath = async (name: string, around: Around): Promise<string> => {
  const own = (process.env.PATH ?? '').split(':').filter((folder) => isAbsolute(folder))
  const found = await findIn([...systemPath, ...own], name, around)
  if (found === null) throw new Error(`The command does not exist: ${name}. Write its whole path in AGENT_COMMAND.`)
  return found
}

const mountProgram = async (place: string, around: Around): Promise<{ program: string; mounts: Mount[] }> => {
  // Node itself needs no other file.
  const isNode = place === (await realpath(process.execPath))
  const folder = isNode ? null : await findProgramFolder(place, [...around.hidden, around.scratch])
  return folder === null ? mountFileAlone(place, basename(place), around) : mountFolder(folder, place, around)
}

/** Mounts the folder at its own path, or below `/opt/agent` if the sandbox uses that path itself. */
const mountFolder = async (folder: string, place: string, { scratch, user }: Around) => {
  const target = isTaken(folder) ? `/opt/agent/${basename(folder)}` : folder
  let source = folder
  if (user !== null && !(await isOpenToOthers(folder, place))) {
    // The sandbox's user may not enter it, so it gets a copy.
    await mkdir(join(scratch, 'program'), { recursive: true })
    source = join(scratch, 'program', basename(folder))
    await run('cp', ['-aT', '--reflink=auto', '--', folder, source])
  }
  return { program: join(target, relative(folder, place)), mounts: [{ source, target }] }
}

const mountFileAlone = async (place: string, name: string, { scratch, user }: Around) => {
  const target = `/opt/agent/bin/${name}`
  if (user === null || (await isOpenToOthers(dirname(place), place)))
    return { program: target, mounts: [{ source: place, target }] }
  await mkdir(join(scratch, 'program'), { recursive: true })
  const copy = join(scratch, 'program', `${name}.file`)
  await copyFile(place, copy, constants.COPYFILE_FICLONE)
  await chmod(copy, 0o555)
  return { program: target, mounts: [{ source: copy, target }] }
}

const isOpenToOthers = async (folder: string, file: string): Promise<boolean> => {
  for (let path = folder; path !== dirname(path); path = dirname(path))
    if (((await stat(path)).mode & 0o001) === 0) return false
  return ((await stat(folder)).mode & 0o005) === 0o005 && ((await stat(file)).mode & 0o005) === 0o005
}

/** First line of a script, split as the kernel splits it; null for other programs. */
const readShebang = async (path: string): Promise<{ interpreter: string; argument: string } | null> => {
  await using file = await open(path).catch(() => null)
  if (file === null) return null
  const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0)
  const [, interpreter, argument = ''] =
    /^#![ \t]*(\S+)[ \t]*([^\n]*)/.exec(buffer.subarray(0, bytesRead).toString('latin1')) ?? []
  return interpreter === undefined ? null : { interpreter, argument: argument.trim() }
}

const wide = ['/', '/boot', '/data', '/etc', '/home', '/media', '/mnt', '/opt', '/root', '/run', '/srv', '/tmp', '/var']

const taken = ['/dev', '/etc', '/opt/agent', '/proc', '/run', '/sys', '/tmp', '/work', '/usr', '/bin', '/sbin', '/lib']

/** True when the sandbox cannot show a folder at its own path. */
export const isTaken = (folder: string): boolean => taken.includes(folder) || isWithin(folder, taken)

/** Null when each folder is too wide or contains a folder of `hidden`. */
export const findProgramFolder = async (place: string, hidden: readonly string[]): Promise<string | null> => {
  for (const folder of [
    findNodeModules(place),
    await findInstallation(place),
    await findNodePackage(place),
    dirname(place),
  ])
    if (folder !== null && !isTooWide(folder, hidden)) return folder
  return null
}

const isTooWide = (folder: string, hidden: readonly string[]) => {
  const homes = [homedir(), '/root']
  return (
    wide.includes(folder) ||
    ['/home', '/var', '/run', '/mnt', '/media'].includes(dirname(folder)) ||
    homes.some((home) => folder === home || isWithin(home, [folder])) ||
    hidden.some((place) => place === folder || isWithin(place, [folder]) || isWithin(folder, [place]))
  )
}

/** The outermost `node_modules`, which holds the dependencies too; the whole store of pnpm. */
const findNodeModules = (place: string): string | null => {
  const parts = place.split(sep)
  const store = parts.indexOf('.pnpm')
  const end = store > 0 ? store : parts.indexOf('node_modules') + 1
  return end > 1 ? parts.slice(0, end).join(sep) : null
}

const hasEntry = (folder: string, name: string) =>
  lstat(join(folder, name)).then(
    () => true,
    () => false,
  )

const findInstallation = async (place: string): Promise<string | null> => {
  const parent = dirname(dirname(place))
  if (basename(dirname(place)) !== 'bin' || basename(parent).startsWith('.local')) return null
  return (await hasEntry(parent, 'pyvenv.cfg')) || (await hasEntry(parent, 'lib')) ? parent : null
}

const findNodePackage = async (place: string): Promise<string | null> => {
  for (let folder = dirname(place); folder !== dirname(folder); folder = dirname(folder))
    if (await hasEntry(folder, 'package.json')) return folder
  return null
}
