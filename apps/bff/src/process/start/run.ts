import { setTimeout as delay } from 'node:timers/promises'
import { enableCompileCache, registerHooks, type ResolveFnOutput } from 'node:module'
import { join } from 'node:path'
import { url as debuggerAddress } from 'node:inspector'
import { describeFailure } from '#ground/log/failure.ts'
import { stopOnSignal, type Stopping, type StopSignal } from '#process/start/shutdown.ts'

/**
 * Makes new files 0600 and new folders 0700, in child processes too. Call it before anything else. Throws a readable error for the operator
 * when a debugger listens, because a debugger reveals every secret.
 */
const makeProcessPrivate = (): void => {
  process.umask(0o077)
  // Node's crash report would contain the whole environment.
  process.report.excludeEnv = true
  if (debuggerAddress() !== undefined)
    throw new Error(
      'Node was started with a debugger (--inspect, perhaps in NODE_OPTIONS), and a debugger gives away every secret. Start Docket without it.',
    )
}

const root = new URL('../../../../../', import.meta.url).href

const formats: Record<string, string | undefined> = { ts: 'module-typescript', mjs: 'module', cjs: 'commonjs' }

/** The folder `src` of the workspace package that a file belongs to. Null for other files. */
const findSources = (url: string): string | null => {
  const [sources] = url.startsWith(root) ? (/^(?:apps|packages)\/[^/]+\/src\//.exec(url.slice(root.length)) ?? []) : []
  return sources === undefined ? null : root + sources
}

const findPackage = (url: string): string | undefined => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(url)?.[0]

/**
 * Makes later imports cheaper. Call it before them. The same code runs without it.
 *
 * - Loads Drizzle from its CommonJS build. Its ES modules export each other in circles, and linking them takes 180 MB and half a second.
 * - Loads Zod with its English sentences alone, not in fifty languages.
 * - Resolves a name once in each package. Node parses a package's manifest at every import of it; Drizzle's has 180 kB, and 200 imports of
 *   it took a third of the start and 70 MB.
 * - Caches the compiled source beside the packages, where only people who may change the code can write. Has no effect on a read-only
 *   folder or with `NODE_DISABLE_COMPILE_CACHE=1`.
 */
const loadLeanly = (): void => {
  enableCompileCache(join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'compiled'))
  const resolved = new Map<string, ResolveFnOutput>()
  registerHooks({
    resolve: (specifier, context, next) => {
      const { parentURL = root } = context
      const sources = findSources(parentURL)
      if (sources !== null && /^#.*\.ts$/.test(specifier))
        return { url: sources + specifier.slice(1), format: 'module-typescript', shortCircuit: true }
      const name = parentURL.includes('/zod/v4/') ? specifier.replace('/locales/index.', '/locales/en.') : specifier
      const [, ending] = /^\.\.?\/.*\.(ts|mjs|cjs|js)$/.exec(name) ?? []
      if (ending !== undefined && (ending === 'cjs' || context.conditions.includes('import')))
        return { url: new URL(name, parentURL).href, format: formats[ending], shortCircuit: true }
      const conditions = /^drizzle-orm(\/|$)/.test(name) ? ['node', 'require'] : context.conditions
      const isAddress = /^[./]|^\w+:/.test(name)
      const place = isAddress
        ? new URL(name, parentURL).href
        : `${sources ?? findPackage(parentURL) ?? parentURL} ${name}`
      const key = `${conditions.join()} ${place}`
      const found = resolved.get(key) ?? next(name, { ...context, conditions })
      resolved.set(key, found)
      return { ...found, shortCircuit: true }
    },
  })
}

/** Time for closing the database after the grace period. Milliseconds. */
const closeMs = 10_000

/** Starts a service. Returns the lines to print. `running` stops what was started, in reverse order, even after a failure. */
export type StartService = (
  env: NodeJS.ProcessEnv,
  running: AsyncDisposableStack,
  stopping: Stopping,
) => Promise<string[]>

/** Runs a service in this process until a signal stops it. `load` imports the service once the process is private. */
export const run = async (env: NodeJS.ProcessEnv, load: () => Promise<StartService>): Promise<void> => {
  const stopping: Stopping = { draining: false, drainMs: 0, graceMs: 10_000 }
  const running = new AsyncDisposableStack()
  // A reader that needs only the first line may close the pipe.
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
  // By default, Node would open a debugger for this signal, and a debugger reveals every secret.
  process.on('SIGUSR1', () => {})
  const stop = async (signal: StopSignal) => {
    stopping.draining = true
    if (signal === 'SIGTERM' && !running.disposed) await delay(stopping.drainMs)
    await running.disposeAsync()
  }
  stopOnSignal(stop, () => stopping.drainMs + stopping.graceMs + closeMs)
  try {
    makeProcessPrivate()
    loadLeanly()
    const start = await load()
    const lines = await start(env, running, stopping)
    process.stdout.write(`${lines.join('\n')}\n`)
  } catch (error) {
    if (running.disposed) await new Promise(() => {})
    process.stderr.write(`Docket could not start. ${describeFailure(error)}\n`)
    await running.disposeAsync().catch(() => {})
    process.exit(1)
  }
}
