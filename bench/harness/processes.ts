import { once } from 'node:events'
import { Server as HttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { launch, type Launched } from '#apps/bff/src/testing/launch.ts'
import { onEnd } from './cleanup.ts'

/** A server of the bench. `stop` ends it and waits until it is gone. */
export type BenchProcess = {
  pid: number
  address: string
  /** Everything it wrote so far. */
  readOutput: () => string
  stop: () => Promise<void>
}

/** As `launch`; ends with the bench, in order: Ctrl-C reaches the bench alone. */
export const launchHere = (...[command, args, options]: Parameters<typeof launch>): Launched => {
  const launched = launch(command, args, { ...options, detached: true })
  const forget = onEnd(() => launched.stop().then(() => {}))
  void launched.ended.then(forget, forget)
  return launched
}

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
  const { pid, readOutput, wrote, stop } = launchHere(command, args, { env, input })
  // Only browsers resolve names under localhost.
  const [, address = ''] = await wrote(/(http:\/\/(?!docket-)\S+)\s/)
  return { pid, address: address.replace(/\/$/, ''), readOutput, stop: () => stop().then(() => {}) }
}

/** Starts a file of this bench with Node. `options` reach it as JSON on its standard input. */
export const startScript = (file: string, options: object = {}): Promise<BenchProcess> =>
  startProcess(process.execPath, [file], {}, JSON.stringify(options))

/** Runs a file of this bench to its end and gives the JSON it printed. Throws with what it wrote when it fails. */
export const runScript = async <T>(file: string, options: object): Promise<T> => {
  const { ended } = launchHere(process.execPath, [file], { input: JSON.stringify(options) })
  const { code, stdout, stderr } = await ended
  if (code !== 0) throw new Error(`${file} failed:\n${stderr}`)
  return JSON.parse(stdout) as T
}

/** Has a server listen on a free port of 127.0.0.1 until the end, which cuts its connections. Resolves with the port. */
export const listenHere = async (server: Server): Promise<number> => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onEnd(() => {
    server.close()
    if (server instanceof HttpServer) server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
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
