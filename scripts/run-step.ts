import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Result of a step, and all its output in order. `cpuSeconds` counts every process that was waited for, and is null
 * where there is no /proc.
 */
type StepEnd = { ok: boolean; output: string; tookMs: number; cpuSeconds: number | null }

/** CPU seconds of all children of this process that have ended. */
const readChildrenCpu = (): number | null => {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ')
    // cutime and cstime, in hundredths of a second.
    return (Number(fields[13]) + Number(fields[14])) / 100
  } catch {
    return null
  }
}
let countedCpu = readChildrenCpu() ?? 0

const running = new Set<number>()
let ending = false

const signalGroup = (pid: number, signal: NodeJS.Signals) => {
  try {
    process.kill(-pid, signal)
  } catch {
    // The group is gone already.
  }
}

/**
 * Ends every step that runs now with all it started: first asked, then made to. No other step starts or ends after
 * that.
 */
export const endSteps = async (): Promise<void> => {
  ending = true
  const groups = [...running]
  for (const pid of groups) signalGroup(pid, 'SIGTERM')
  for (let waitedMs = 0; running.size > 0 && waitedMs < 10_000; waitedMs += 100) await sleep(100)
  for (const pid of groups) signalGroup(pid, 'SIGKILL')
}

/**
 * Runs a command in a process group of its own, so that nothing it starts outlives it. Stops it after it printed
 * nothing for `silentMs`: a busy machine makes a step long, a step that hangs is silent. Never rejects.
 */
export const runStep = (
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  silentMs: number,
): Promise<StepEnd> =>
  new Promise((resolve) => {
    const startedAt = performance.now()
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    const { pid } = child
    let output = ''
    const stopSilent = () => {
      output += `\nstopped after ${silentMs / 1000} s without any output\n`
      if (pid !== undefined) signalGroup(pid, 'SIGKILL')
    }
    const timer = setTimeout(stopSilent, silentMs)
    const keep = (text: string) => {
      output += text
      timer.refresh()
    }
    child.stdout.setEncoding('utf8').on('data', keep)
    child.stderr.setEncoding('utf8').on('data', keep)
    const end = (ok: boolean) => {
      clearTimeout(timer)
      const cpu = readChildrenCpu()
      const cpuSeconds = cpu === null ? null : cpu - countedCpu
      countedCpu = cpu ?? 0
      if (pid !== undefined) running.delete(pid)
      // The caller must not start another step.
      if (!ending) resolve({ ok, output, tookMs: performance.now() - startedAt, cpuSeconds })
    }
    if (pid !== undefined) running.add(pid)
    child.on('error', (error) => {
      keep(error.message)
      end(false)
    })
    // Not 'close': something left behind would hold the pipes open, and the group is ended right after.
    child.on('exit', (code) => {
      if (pid !== undefined) signalGroup(pid, 'SIGTERM')
      setImmediate(() => end(code === 0))
    })
  })
