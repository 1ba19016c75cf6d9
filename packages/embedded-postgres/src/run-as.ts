import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { promisify } from 'node:util'
import { EmbeddedPostgresUnavailable } from './errors.ts'

/** PostgreSQL refuses to run as root or as a user without a name. `owner` is the owner of its files as this process sees them. */
export type RunAs = { name: string; prefix: string[]; switchTo?: number; owner: number }

// The kernel stops the server together with Docket, so a killed Docket leaves no server behind where this exists (Linux).
const endWithParent = ['setpriv', '--pdeathsig', 'INT']

/** A user other than root that has a name on this machine: initdb looks the name up. */
const findNamedUid = (): number => {
  const uids = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => Number(line.split(':')[2] ?? 0))
    .filter((uid) => uid > 0)
  return [1000, 65534].find((uid) => uids.includes(uid)) ?? uids[0] ?? 65534
}

const hasName = (): boolean => {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

/** Possible ways on this machine, best first. */
export const listWaysToRun = (): RunAs[] => {
  const self = process.getuid?.() ?? 0
  if (self !== 0 && hasName())
    return [
      { name: 'as it is, ending with the parent', prefix: endWithParent, owner: self },
      { name: 'as it is', prefix: [], owner: self },
    ]
  const uid = findNamedUid()
  const namespace = ['unshare', '-U', `--map-user=${uid}`, `--map-group=${uid}`]
  const inNamespace: RunAs[] = [
    { name: 'user namespace, ending with the parent', prefix: [...namespace, ...endWithParent], owner: self },
    { name: 'user namespace', prefix: namespace, owner: self },
  ]
  if (self !== 0) return inNamespace
  // Where the container grants it, the other user may pass through root's folders to its own.
  const pass = ['--inh-caps=-all,+dac_override', '--ambient-caps=-all,+dac_override']
  const ids = [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups']
  return [
    ...inNamespace,
    { name: 'another user with passage', prefix: [...endWithParent, ...ids, ...pass], owner: uid },
    { name: 'another user', prefix: [], switchTo: uid, owner: uid },
  ]
}

const inVain = (error: unknown): string => {
  const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
  return stderr.split('\n').at(-1) || (error instanceof Error ? error.message : String(error))
}

/** Throws `EmbeddedPostgresUnavailable` with the reason why each way failed. */
export const findRunAs = async (program: string, dataDir: string, ways: readonly RunAs[]): Promise<RunAs> => {
  const reasons: string[] = []
  for (const way of ways) {
    // A switched user gets access to the data directory later.
    const enter = way.switchTo === undefined ? dataDir : '/'
    const [file, ...args] = [...way.prefix, 'sh', '-c', 'cd "$1" && exec "$2" --version', 'sh', enter, program]
    const identity = way.switchTo === undefined ? {} : { uid: way.switchTo, gid: way.switchTo }
    try {
      await promisify(execFile)(file!, args, { cwd: '/', ...identity })
      return way
    } catch (error) {
      reasons.push(`${way.name}: ${inVain(error)}`)
    }
  }
  throw new EmbeddedPostgresUnavailable(`no way to start it worked (${reasons.join('; ')})`)
}

/** Starts a program of PostgreSQL in its own session, so that a Ctrl-C in the terminal reaches Docket alone. */
export const spawnAs = (way: RunAs, program: string, args: readonly string[]): ChildProcess => {
  const [file, ...rest] = [...way.prefix, program, ...args]
  return spawn(file!, rest, {
    detached: true,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    ...(way.switchTo === undefined ? {} : { uid: way.switchTo, gid: way.switchTo }),
  })
}
