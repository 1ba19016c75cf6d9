import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { onEnd } from './cleanup.ts'

/** A server of the bench. `stop` ends it and waits until it is gone. */
export type BenchProcess = {
  pid: number
  address: string
  /** Everything it wrote so far. */
  readOutput: () => string
  stop: () => Promise<void>
}

const running = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

const end = async (child: ChildProcess): Promise<void> => {
  if (!running(child)) return
  child.kill('SIGTERM')
  const gone = once(child, 'exit')
  const killed = setTimeout(() => child.kill('SIGKILL'), 30_000)
  await gone
  clearTimeout(killed)
}

/** The environment of a server: nothing of the caller's Docket settings reaches it. */
export const plainEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE'].flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

/**
 * Starts a server of its own process and waits until it prints an address. It is given
 * `input` on its standard input. Throws with what it printed when it ends before.
 */
export const startProcess = async (
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = '',
): Promise<BenchProcess> => {
  // A group of its own, so that Ctrl-C reaches the bench alone, which ends its servers in order.
  const child = spawn(command, args, {
    env: { ...plainEnvironment(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  child.stdin.on('error', () => {}).end(input)
  const stop = onEnd(() => end(child))
  let readOutput = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (readOutput += text))
  const failed = once(child, 'exit').then(() => {
    throw new Error(`${command} ended before it was ready:\n${readOutput}`)
  })
  failed.catch(() => {})
  const address = await Promise.race([
    failed,
    (async () => {
      for (let tries = 0; tries < 12_000; tries += 1) {
        // Only browsers resolve names under localhost.
        const found = /(http:\/\/(?!docket-)\S+)\s/.exec(readOutput)?.[1]
        if (found !== undefined) return found.replace(/\/$/, '')
        await delay(5)
      }
      throw new Error(`${command} printed no address:\n${readOutput}`)
    })(),
  ])
  return { pid: child.pid!, address, readOutput: () => readOutput, stop }
}

/** Starts a file of this bench with Node. `options` reach it as JSON on its standard input. */
export const startScript = (file: string, options: object = {}): Promise<BenchProcess> =>
  startProcess(process.execPath, [file], {}, JSON.stringify(options))

/** Runs a file of this bench to its end and gives the JSON it printed. Throws with what it wrote when it fails. */
export const runScript = async <T>(file: string, options: object): Promise<T> => {
  const child = spawn(process.execPath, [file], {
    env: plainEnvironment(),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  child.stdin.on('error', () => {}).end(JSON.stringify(options))
  const stop = onEnd(() => end(child))
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  await once(child, 'close')
  await stop()
  if (child.exitCode !== 0) throw new Error(`${file} failed:\n${stderr}`)
  return JSON.parse(stdout) as T
}

/** A port of 127.0.0.1 that nobody uses now, for servers that cannot take any free one. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
