import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** The program of `npm start`. */
export const mainProgram = join(import.meta.dirname, '..', 'main.ts')

/** The program of `docket`, which takes a command. */
export const docketProgram = join(import.meta.dirname, '..', 'docket.ts')

/** A server that is still running is killed this long after it was asked to stop. */
const stopsWithinMs = 300_000

/** Environment of a server, without any Docket settings of the current process. */
export const plainEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE'].flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

type Options = {
  env?: Readonly<Record<string, string>>
  cwd?: string
  /** Text for its standard input. */
  input?: string
  /** Runs it in its own process group, which Ctrl-C does not reach, so the caller must end it on Ctrl-C. */
  detached?: boolean
}

/** Runs a program as a server in its own process. */
export const launch = (
  command: string,
  args: readonly string[],
  { env = {}, cwd, input = '', detached = false }: Options = {},
) => {
  const child = spawn(command, args, {
    env: { ...plainEnvironment(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached,
    ...(cwd !== undefined && { cwd }),
  })
  child.stdin.on('error', () => {}).end(input)
  let [stdout, stderr, output] = ['', '', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    output += text
  })
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, signal: child.signalCode, stdout, stderr }))
  ended.catch(() => {})
  return {
    pid: child.pid!,
    /** The output so far. */
    readOutput: () => output,
    /** Waits until the output contains this. Rejects with the output when the program ends before. */
    wrote: (pattern: RegExp): Promise<RegExpExecArray> =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(output)
          if (found !== null) resolve(found)
        }
        for (const stream of [child.stdout, child.stderr]) stream.on('data', look)
        look()
        ended.then(() => reject(new Error(`${args.at(-1)} ended before it was ready:\n${output}`)), reject)
      }),
    /** Exit code or signal, and the whole output. */
    ended,
    /** Ends the program and waits for its exit. */
    stop: async (signal: NodeJS.Signals = 'SIGTERM') => {
      const late = setTimeout(() => child.kill('SIGKILL'), stopsWithinMs)
      child.kill(signal)
      return ended.finally(() => clearTimeout(late))
    },
  }
}

/** A server that runs. */
export type Launched = ReturnType<typeof launch>

/**
 * Waits until a Docket is ready. Returns the address of its page, and one for programs, which cannot resolve names
 * under localhost.
 */
export const readAddresses = async ({ wrote }: Launched): Promise<{ url: string; plainUrl: string }> => {
  const [, plainUrl = ''] = await wrote(/ (http:\/\/(?!docket-)\S+)\n/)
  const [, url = ''] = await wrote(/^Docket is ready at (\S+)\n/m)
  return { url, plainUrl }
}

/** Cookies of first admins by their database, because the database outlives the processes. */
const cookies = new Map<string, Promise<string>>()

/** Starts a Docket on a free port, with only these variables. `program` is Node's arguments, and `run` what launches it. */
export const launchDocket = (
  env: Readonly<Record<string, string>>,
  {
    program = [mainProgram],
    cwd,
    run = launch,
  }: { program?: readonly string[]; cwd?: string; run?: typeof launch } = {},
) => {
  const docket = run(process.execPath, program, { env: { PORT: '0', ...env }, ...(cwd !== undefined && { cwd }) })
  const addresses = readAddresses(docket)
  // Callers that wait only for the end ignore this rejection.
  addresses.catch(() => {})
  const database = `${env['DATABASE_URL'] || env['DATA_DIR']} ${env['DATABASE_SCHEMA']}`
  return {
    ...docket,
    /** Addresses of the server, once it is ready. Rejects with the output when it ends before. */
    addresses,
    /** Cookie of the first admin, as `name=value`. The first call creates the admin. */
    adminCookie: (): Promise<string> => {
      const cookie =
        cookies.get(database) ?? addresses.then(({ plainUrl }) => createFirstAdmin(plainUrl, docket.readOutput()))
      cookies.set(database, cookie)
      return cookie
    },
  }
}

/**
 * Creates the first admin of a running Docket with the link that it printed, as a browser at `url` does. Returns the
 * session cookie as `name=value`.
 */
const createFirstAdmin = async (url: string, output: string): Promise<string> => {
  const token = /\/setup#(\S+)/.exec(output)?.[1]
  if (token === undefined) throw new Error(`Docket printed no link for the first account:\n${output}`)
  const response = await fetch(`${url}/api/setup`, {
    method: 'POST',
    headers: { origin: url, 'sec-fetch-site': 'same-origin', 'x-docket': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  const cookie = response.headers.getSetCookie()[0]?.split(';', 1)[0]
  if (response.status !== 204 || cookie === undefined)
    throw new Error(`The first account could not be created: ${response.status} ${await response.text()}`)
  return cookie
}
