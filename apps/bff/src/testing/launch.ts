import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** The program of `npm start`. */
export const mainProgram = join(import.meta.dirname, '..', 'main.ts')

/** The program of `docket`, which takes a command. */
export const docketProgram = join(import.meta.dirname, '..', 'docket.ts')

/** A server that is still running is killed this long after it was asked to stop. */
const stopsWithinMs = 300_000

/** Environment of a server: nothing of the caller's Docket settings reaches it. */
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
  /** Goes to its standard input. */
  input?: string
  /** In a group of its own, which Ctrl-C does not reach: whoever starts it ends it then too. */
  detached?: boolean
}

/** Runs a program as a server of its own process. */
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
    /** Everything it wrote so far. */
    readOutput: () => output,
    /** Waits until it wrote this. Rejects with everything it wrote when it ends before. */
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
    /** Exit code or signal, and everything it wrote. */
    ended,
    /** Ends it and waits until it is gone. */
    stop: async (signal: NodeJS.Signals = 'SIGTERM') => {
      const late = setTimeout(() => child.kill('SIGKILL'), stopsWithinMs)
      child.kill(signal)
      return ended.finally(() => clearTimeout(late))
    },
  }
}

/** A server that runs. */
export type Launched = ReturnType<typeof launch>

/** Waits for a Docket: the address of its page, and the one for programs, which know no names under localhost. */
export const readAddresses = async ({ wrote }: Launched): Promise<{ url: string; plainUrl: string }> => {
  const [, plainUrl = ''] = await wrote(/ (http:\/\/(?!docket-)\S+)\n/)
  const [, url = ''] = await wrote(/^Docket is ready at (\S+)\n/m)
  return { url, plainUrl }
}

/** Cookies of first admins by the database that they are in: it outlives the processes. */
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
  // Who waits for the end only is not interested in this one.
  addresses.catch(() => {})
  const database = env['DATABASE_URL'] || (env['DATA_DIR'] ?? '')
  return {
    ...docket,
    /** Its addresses, once it is ready. Rejects with all it wrote when it ends before. */
    addresses,
    /** Cookie of the first admin, `name=value`, who is created when it is asked for first. */
    adminCookie: (): Promise<string> => {
      const cookie =
        cookies.get(database) ?? addresses.then(({ plainUrl }) => createFirstAdmin(plainUrl, docket.readOutput()))
      cookies.set(database, cookie)
      return cookie
    },
  }
}

/**
 * Creates the first admin of a Docket that is ready with the link it printed, as a browser at `url` does; answers with
 * the session's cookie as `name=value`.
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
