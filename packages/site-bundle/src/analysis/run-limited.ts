import { fork } from 'node:child_process'
import module from 'node:module'
import { constants } from 'node:os'
import { dirname } from 'node:path'

type Limits = { memoryMb: number; timeLimitMs: number }

/** Parsers load from there in half the time. */
const readCompileCache = (): NodeJS.ProcessEnv => {
  const folder = module.getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

/**
 * Runs a program that uses `serveOrder` in a process of its own, without our environment and with limits of memory and time, so that hostile
 * input costs nothing else. Resolves when it ended, with the reason as the predicate of a sentence. An abort kills it. Rejects with an
 * error that has a `code` when the disk fails.
 */
export const runLimited = async <Message>(
  program: string,
  order: object,
  { memoryMb, timeLimitMs, onMessage }: Limits & { onMessage: (message: Message) => void },
  signal: AbortSignal,
): Promise<string> => {
  signal.throwIfAborted()
  const child = fork(program, [], {
    execArgv: [`--max-old-space-size=${memoryMb}`, '--max-semi-space-size=4', '--disable-warning=ExperimentalWarning'],
    env: { ...readCompileCache(), NODE_ENV: 'production', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // A Ctrl-C in the terminal reaches the server alone.
    detached: true,
  })
  let isLate = false
  const stop = () => void child.kill('SIGKILL')
  const timer = setTimeout(() => {
    isLate = true
    stop()
  }, timeLimitMs)
  signal.addEventListener('abort', stop, { once: true })
  let disk: Error | null = null
  child.on('message', (message: Message) => {
    const { code = null, message: text } = message as { code?: string | null; message?: string }
    if (code !== null && Object.hasOwn(constants.errno, code)) disk = Object.assign(new Error(text), { code })
    onMessage(message)
  })
  child.send(order, () => {})
  const exit = await new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, killedBy) => resolve(killedBy ?? `exit code ${code}`))
  }).finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    stop()
  })
  if (disk !== null) throw disk
  if (isLate) return `took longer than ${formatMinutes(timeLimitMs)}`
  return exit === 'SIGABRT' || exit === 'exit code 134'
    ? `needed more than ${memoryMb} MB of memory`
    : `ended unexpectedly (${exit})`
}

const formatMinutes = (ms: number) =>
  ms < 120_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.round(ms / 60_000)} minutes`
