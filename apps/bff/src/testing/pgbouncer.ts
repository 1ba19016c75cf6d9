import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const program = '/usr/sbin/pgbouncer'

/** True when PgBouncer is installed where Debian puts it. */
export const hasPgBouncer = existsSync(program)

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.unref().once('connect', () => socket.destroy())
  })

/** Starts PgBouncer in front of a test database. `settings` are lines of its configuration. */
export const startPgBouncer = async (databaseUrl: string, ...settings: string[]) => {
  const { username, port: serverPort, searchParams, pathname } = new URL(databaseUrl)
  const folder = await mkdtemp(join(tmpdir(), 'docket-pgbouncer-'))
  const [file, port] = [join(folder, 'pgbouncer.ini'), await freePort()]
  // PgBouncer refuses to run as root, and only root may use the socket of the test server, so it connects by TCP.
  const relay = createServer((client) => {
    const server = connect(`${searchParams.get('host')}/.s.PGSQL.${serverPort}`)
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
    client.pipe(server).pipe(client)
  }).listen(0, '127.0.0.1')
  await once(relay, 'listening')
  const place = `host=127.0.0.1 port=${(relay.address() as AddressInfo).port} user=${username}`
  await writeFile(
    file,
    ['[databases]', `* = ${place}`, '[pgbouncer]', 'listen_addr = 127.0.0.1', `listen_port = ${port}`]
      .concat('unix_socket_dir =', 'auth_type = any', ...settings, '')
      .join('\n'),
  )
  await chmod(folder, 0o755)
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const child = spawn(program, [file], { stdio: ['ignore', 'ignore', 'pipe'], ...nobody })
  let printed = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const ended = once(child, 'close')
  const close = async () => {
    child.kill('SIGTERM')
    await ended
    relay.close()
    await rm(folder, { recursive: true, force: true })
  }
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${printed}`)
    await delay(20)
  }
  return { url: `postgresql://${username}@127.0.0.1:${port}${pathname}`, printed: () => printed, close }
}
