import { fork } from 'node:child_process'
import module from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FetchRules } from '@docket/site-exporter/export-site'
import type { OrderedSource } from '@docket/sources/site-source'

export type ExportOrder = {
  jobId: string
  /** The worker reads nothing outside it. */
  source: OrderedSource
  /** Folder for copies of the source. The caller removes it. */
  scratch: string
  domain: string
  version: string | null
  paths: string[] | null
  cache: string
  usedFile: string
  hiddenPages: boolean
  fetch: FetchRules
  /** Folder that the site is written to; emptied first. */
  site: string
  /** File that the archive is written to, completely or not at all. */
  archive: string
  /** Pauses added over the whole export. Milliseconds. */
  pauseMs: number
  failWith: string | null
}

/** Report of a worker process. Silence beyond the watchdog's limit means that it hangs. */
export type WorkerReport =
  | { kind: 'progress'; progress: number; pageCount: number }
  | { kind: 'alive' }
  | { kind: 'completed'; pageCount: number }
  | { kind: 'failed'; reason: string }

/** `stopped` by us, `crashed` by itself or a foreign signal, else as the worker reported. */
export type ExportEnd =
  | { kind: 'completed'; pageCount: number }
  | { kind: 'failed'; reason: string }
  | { kind: 'crashed'; reason: string }
  | { kind: 'stopped' }

export type WorkerLimits = {
  /** JavaScript heap. Megabytes. */
  memoryMb: number
  /** Maximum silence before the process is killed. Milliseconds. */
  silenceMs: number
  program?: string
}

export const exportWorker = fileURLToPath(import.meta.resolve('./export-worker.ts'))

/** Runs without our environment and secrets. A source that hangs or crashes a parser affects only its own job. */
export const startExportProcess = (
  order: ExportOrder,
  limits: WorkerLimits,
  onProgress: (progress: number, pageCount: number) => void,
) => {
  const child = fork(limits.program ?? exportWorker, [String(process.pid), String(limits.memoryMb)], {
    execArgv: [
      `--max-old-space-size=${limits.memoryMb}`,
      // Node's default takes twice the memory and is no faster.
      '--max-semi-space-size=16',
      '--disable-warning=ExperimentalWarning',
    ],
    env: createEnvironment(),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // A Ctrl-C in the terminal reaches the service alone, which then stops this process.
    detached: true,
  })
  let end: ExportEnd | null = null
  // The first verdict counts: a kill after "completed" changes nothing.
  const settle = (verdict: ExportEnd) => {
    end ??= verdict
    child.kill('SIGKILL')
  }
  const onSilence = () => {
    const seconds = Math.round(limits.silenceMs / 1000)
    settle({
      kind: 'crashed',
      reason: `The export made no progress for ${seconds} s and was stopped. A page may be too much for the parser: export the site in parts, with paths, to find it`,
    })
  }
  let watchdog = setTimeout(onSilence, limits.silenceMs)

  child.on('message', (report: WorkerReport) => {
    clearTimeout(watchdog)
    if (report.kind === 'completed' || report.kind === 'failed') return settle(report)
    watchdog = setTimeout(onSilence, limits.silenceMs)
    if (report.kind === 'progress') onProgress(report.progress, report.pageCount)
  })
  const ended = new Promise<ExportEnd>((resolve) => {
    const finish = (otherwise: ExportEnd) => {
      clearTimeout(watchdog)
      resolve(end ?? otherwise)
    }
    child.once('error', (error) =>
      finish({ kind: 'failed', reason: `The export process could not be started (${readCode(error)})` }),
    )
    child.once('exit', (code, signal) => finish(toEnd(code, signal, limits)))
  })
  // The process may have ended already; its exit code says more.
  child.send(order, () => {})
  return { ended, stop: () => settle({ kind: 'stopped' }) }
}

export type StartExport = typeof startExportProcess

/** A running export. `stop` kills the process; `ended` never rejects. */
export type ExportProcess = ReturnType<typeof startExportProcess>

/** The worker loads compiled parsers from this process's cache in half the time. */
const readCompileCache = (): NodeJS.ProcessEnv => {
  const folder = module.getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}

/** Contains no secret but that of a proxy, and else only where programs are and which further certificates to trust. */
const createEnvironment = (): NodeJS.ProcessEnv => ({
  ...readCompileCache(),
  NODE_ENV: 'production',
  TZ: 'UTC',
  PATH: process.env.PATH,
  ...Object.fromEntries(
    ['NODE_EXTRA_CA_CERTS', ...['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()])]
      .map((name) => [name, process.env[name]] as const)
      .filter(([, value]) => value !== undefined),
  ),
})

const fromOutside: readonly string[] = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']

const toEnd = (code: number | null, signal: NodeJS.Signals | null, { memoryMb }: WorkerLimits): ExportEnd => {
  // V8 aborts when the heap limit is reached.
  if (signal === 'SIGABRT' || code === 134) {
    const reason = `The export ran out of memory: it needs more than the ${memoryMb} MB that one may use. Export the site in parts, with paths`
    return { kind: 'crashed', reason }
  }
  if (signal !== null && fromOutside.includes(signal))
    return {
      kind: 'crashed',
      reason: `The export process was ended from outside (${signal}). The machine may be short of memory`,
    }
  return { kind: 'crashed', reason: `The export process ended unexpectedly (${signal ?? `exit code ${code}`})` }
}

const readCode = (error: Error) => (error as NodeJS.ErrnoException).code ?? error.message
