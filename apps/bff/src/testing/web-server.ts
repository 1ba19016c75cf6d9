import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { plainEnvironment } from './launch.ts'

/** Host name in the configurations. */
export const hostName = 'docs.example.com'

/** A web server of Debian, and the only change to its configuration: the port. */
export type WebServer = {
  program: string
  package: string
  /** Writes what surrounds the configuration, and answers with the arguments. */
  args: (folder: string, configuration: string, port: number) => string[]
}

export const writeText = (folder: string, name: string, text: string): string => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

export const replaceOnce = (text: string, piece: string, instead: string): string => {
  if (text.split(piece).length !== 2) throw new Error(`The configuration does not hold this exactly once: ${piece}`)
  return text.replace(piece, () => instead)
}

export const asRoot = process.getuid?.() === 0

/** nginx, which reads the files as another user when it can. */
export const nginx: WebServer = {
  program: 'nginx',
  package: 'nginx-light',
  args: (folder, configuration, port) => {
    writeText(folder, 'site.conf', replaceOnce(configuration, 'listen 80;', `listen 127.0.0.1:${port};`))
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    )
    const http = `${temporary.join(' ')} access_log off; include ${folder}/site.conf;`
    const text = `${asRoot ? 'user www-data;' : ''} pid ${folder}/nginx.pid; events {} http { ${http} }\n`
    const errors = join(folder, 'error.log')
    return ['-p', folder, '-c', writeText(folder, 'nginx.conf', text), '-e', errors, '-g', 'daemon off;']
  },
}

const findProgram = (name: string): string | undefined =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'].map((folder) => join(folder, name)).find(existsSync)

/** Packages of Debian that are missing. */
export const missingPackages = (servers: readonly WebServer[]): string[] =>
  servers.flatMap((server) => (findProgram(server.program) === undefined ? [server.package] : []))

const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('close', () => socket.destroy())
    setTimeout(() => socket.end(), 10)
  })

/** Starts a web server with a configuration. Throws with what it printed when it ends, as with an invalid one. */
export const startWebServer = async (
  { program, args }: WebServer,
  configuration: string,
  folder: string,
): Promise<{ port: number; stop: () => Promise<void> }> => {
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'home'))
  const port = await findFreePort()
  const child = spawn(findProgram(program) ?? program, args(folder, configuration, port), {
    env: { ...plainEnvironment(), HOME: join(folder, 'home'), XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), 5_000)
    await ended
    clearTimeout(late)
  }
  while (!(await accepts(port))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${program} ended:\n${output}`)
    await delay(20)
  }
  return { port, stop }
}
