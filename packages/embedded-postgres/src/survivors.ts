import { execFile } from 'node:child_process'
import { readdir, readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { EmbeddedPostgresUnavailable } from './errors.ts'

const listFromProc = async (directory: string): Promise<number[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const at = join('/proc', pid)
      if ((await readFile(join(at, 'comm'), 'utf8').catch(() => '')).trim() !== 'postgres') return []
      const [cwd, command] = await Promise.all([
        readlink(join(at, 'cwd')).catch(() => ''),
        readFile(join(at, 'cmdline'), 'utf8').catch(() => ''),
      ])
      return cwd === directory || command.split('\0').includes(directory) ? [Number(pid)] : []
    }),
  )
  return found.flat()
}

const listFromPs = async (directory: string): Promise<number[]> => {
  const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,command='])
  const lines = stdout.split('\n').filter((line) => line.includes(`postgres -D ${directory} `))
  return lines.map((line) => Number.parseInt(line, 10))
}

/** Processes of a server that runs, or ran, on this cluster. `directory` is a real path without symbolic links. */
export const findSurvivors = (directory: string): Promise<number[]> =>
  process.platform === 'linux' ? listFromProc(directory) : listFromPs(directory)

const signalProcesses = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch {
    // The process ended by itself, as intended.
  }
}

/** Stops the processes, first by PostgreSQL's fast shutdown. Requires the lock. */
export const stopSurvivors = async (directory: string): Promise<void> => {
  const rounds = [
    ['SIGINT', 20_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const
  let alive = await findSurvivors(directory)
  for (const [name, waitMs] of rounds) {
    for (const pid of alive) signalProcesses(pid, name)
    const deadline = Date.now() + waitMs
    while (alive.length > 0 && Date.now() < deadline) {
      await sleep(10)
      alive = await findSurvivors(directory)
    }
  }
  if (alive.length > 0)
    throw new EmbeddedPostgresUnavailable(`an earlier server does not stop (process ${alive.join(', ')})`)
  // PostgreSQL trusts a leftover file when another process has its process id. The check above proves that no server
  // runs here.
  if (process.platform === 'linux') await rm(join(directory, 'postmaster.pid'), { force: true })
}
