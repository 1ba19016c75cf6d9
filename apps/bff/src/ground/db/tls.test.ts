import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readPostgresAddress } from '#ground/db/address.ts'
import { PostgresClient } from '#ground/db/client.ts'
import { open } from '#ground/db/testing/opened-database.ts'
import { makeCertificates, startTcpServer } from '#ground/db/testing/tcp-server.ts'

type Server = Awaited<ReturnType<typeof startTcpServer>>

const folder = await mkdtemp(join(tmpdir(), 'docket-tls-test-'))
const authority = join(folder, 'ca.pem')
let server: Server
let plain: Server
beforeAll(async () => {
  await makeCertificates(folder)
  server = await startTcpServer({ certificates: folder })
  plain = await startTcpServer()
})
afterAll(async () => {
  await Promise.all([server.stop(), plain.stop()])
  await rm(folder, { recursive: true })
})

const toAddress = (query: string, host = 'localhost') =>
  `postgresql://docket:hunter2@${host}:${server.port}/postgres?${query}`

const isEncrypted = async (address: string): Promise<boolean> => {
  const client = new PostgresClient(readPostgresAddress(address))
  client.on('error', () => {})
  onTestFinished(() => client.end())
  await client.connect()
  const { rows } = await client.query<{ ssl: boolean }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()')
  return rows[0]!.ssl
}

const refusal = (databaseUrl: string): Promise<Error & { lines: string[] }> =>
  open({ databaseUrl, startTimeoutMs: 3_600_000 }).then(
    () => expect.unreachable(),
    (error: Error & { lines: string[] }) => error,
  )

test.each([
  ['sslmode=disable', false],
  ['sslmode=no-verify', true],
  [`sslmode=require&sslrootcert=${authority}`, true],
  [`sslmode=verify-full&sslrootcert=${authority}`, true],
  [`sslmode=verify-ca&sslrootcert=${authority}`, true],
  [`sslrootcert=${authority}`, true],
  ['uselibpqcompat=true&sslmode=require', true],
])('%s connects, encrypted: %s', async (query, encrypted) => {
  expect(await isEncrypted(toAddress(query))).toBe(encrypted)
})

test('verify-ca accepts another name of the host, and verify-full says in one final sentence that it does not', async () => {
  expect(await isEncrypted(toAddress(`sslmode=verify-ca&sslrootcert=${authority}`, '127.0.0.1'))).toBe(true)
  const error = await refusal(toAddress(`sslmode=verify-full&sslrootcert=${authority}`, '127.0.0.1'))
  expect(error.lines).toEqual([])
  expect(error.message).toContain('its certificate is for another host')
})

test.each(['prefer', 'require', 'verify-ca', 'verify-full'])(
  'sslmode=%s with a private authority is refused at once, in a sentence that names sslrootcert',
  async (mode) => {
    const error = await refusal(toAddress(`sslmode=${mode}`))
    expect(error.name).toBe('DatabaseUnreachable')
    expect(error.lines).toEqual([])
    expect(error.message).toMatch(/sslrootcert.*NODE_EXTRA_CA_CERTS.*Correct DATABASE_URL and start again\.$/)
    expect(error.message).not.toMatch(/use-system-ca|hunter2/)
  },
)

test('sslrootcert=system means the authorities of this machine, not a file', async () => {
  const error = await refusal(toAddress('sslmode=verify-full&sslrootcert=system'))
  expect(error.message).toContain('no authority that this machine knows')
})

test.each([
  ['sslrootcert', '/nowhere/ca.pem', 'cannot read (ENOENT): /nowhere/ca.pem'],
  ['sslrootcert', join(folder, 'server.key'), 'holds none in PEM'],
  ['sslcert', '/nowhere/own.pem', 'only one of sslcert and sslkey'],
])('a file that cannot serve as %s (%s) is a final refusal', async (parameter, file, sentence) => {
  const error = await refusal(toAddress(`sslmode=require&${parameter}=${file}`))
  expect([error.name, error.lines]).toEqual(['DatabaseUnreachable', []])
  expect(error.message).toContain(sentence)
})

test('a server without TLS is a final refusal', async () => {
  const error = await refusal(`postgresql://docket@localhost:${plain.port}/postgres?sslmode=require`)
  expect([error.name, error.lines]).toEqual(['DatabaseUnreachable', []])
  expect(error.message).toContain('it offers no TLS')
})

test('the files are read once, so a connection opens while a file of the address is gone', async () => {
  const copy = join(folder, 'copy.pem')
  await copyFile(authority, copy)
  const config = readPostgresAddress(toAddress(`sslmode=verify-full&sslrootcert=${copy}`))
  await writeFile(copy, '')
  const client = new PostgresClient(config)
  await client.connect()
  await client.end()
})

test('no mode of TLS prints a warning of the driver', async () => {
  const warnings: string[] = []
  const note = (warning: Error) => void warnings.push(warning.message)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full'])
    await (await open({ databaseUrl: toAddress(`sslmode=${mode}&sslrootcert=${authority}`) })).close()
  expect(warnings).toEqual([])
})
