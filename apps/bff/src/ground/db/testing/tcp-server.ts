import { execFile } from 'node:child_process'
import { chown, copyFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startEmbeddedPostgres } from '@docket/embedded-postgres'
import { Client } from 'pg'

const findFreePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A certificate for `localhost` and its authority, which no machine knows. `dir` has ca.pem, server.pem and server.key. */
export const makeCertificates = async (dir: string): Promise<void> => {
  const run = (...args: string[]) => promisify(execFile)('openssl', args, { cwd: dir })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  await run('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Private authority')
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-addext', 'subjectAltName=DNS:localhost']
  await run('req', '-x509', ...key, ...signed, '-keyout', 'server.key', '-out', 'server.pem', '-subj', '/CN=localhost')
}

/**
 * A PostgreSQL of its own on a port of 127.0.0.1; `standby` for one that only recovers, with `certificates`
 * for TLS, and with a `password` that it asks for.
 */
export const startTcpServer = async (options: { standby?: boolean; certificates?: string; password?: string } = {}) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'docket-tcp-server-'))
  const port = await findFreePort()
  const settings = { listen_addresses: '127.0.0.1', wal_level: 'replica', max_wal_senders: '1', fsync: 'off' }
  const start = () => startEmbeddedPostgres({ dataDir, settings: { ...settings, port: String(port) } })
  let server = await start()
  const directory = join(dataDir, 'postgres')
  const { uid } = await stat(directory)
  const change = async (statement: string) => {
    const client = new Client({ host: '127.0.0.1', port, user: 'docket', database: 'postgres' })
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  const own = (file: string) => chown(file, uid, uid)
  if (options.certificates !== undefined) {
    for (const name of ['server.pem', 'server.key']) {
      await copyFile(join(options.certificates, name), join(directory, name))
      await own(join(directory, name))
    }
    await change(`alter system set ssl_cert_file = 'server.pem'`)
    await change(`alter system set ssl_key_file = 'server.key'`)
    await change('alter system set ssl = on')
  }
  if (options.password !== undefined) {
    await change(`alter role docket password '${options.password}'`)
    await writeFile(join(directory, 'pg_hba.conf'), 'host all all all scram-sha-256\n')
  }
  await server.stop()
  if (options.standby === true) {
    await writeFile(join(directory, 'standby.signal'), '')
    await own(join(directory, 'standby.signal'))
  }
  server = await start()
  return {
    port,
    stop: async () => {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
