import { randomInt } from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '#ground/config/config.ts'
import { AddressMistake, describePlace, readPostgresAddress } from '#ground/db/address.ts'
import { waitUntilDatabaseAnswers } from '#ground/db/connect.ts'
import { describeFailure } from '#ground/log/failure.ts'
import { checkAll } from '#process/commands/check/check.ts'

const read = (address: string) => {
  const { password, ...config } = readPostgresAddress(address)
  return { ...config, password: typeof password === 'function' ? password() : password }
}

test.each([
  ['postgresql://', { hosts: [{ host: 'localhost', port: 5432 }], accepts: 'any' }],
  ['postgres://db/docket', { host: 'db', port: 5432, database: 'docket' }],
  ['postgresql://u:p@db:6000/docket', { user: 'u', password: 'p', host: 'db', port: 6000 }],
  ['postgresql://u:p%40%3A%2Fs:x@db/docket', { password: 'p@:/s:x' }],
  ['postgresql://u@db/docket?password=a+b%26', { password: 'a+b&' }],
  ['postgresql://u:100%25@db', { password: '100%' }],
  ['postgresql://u:100%!@db', { password: '100%!' }],
  ['postgresql://[fd00::1]:6432/docket', { host: 'fd00::1', port: 6432 }],
  ['postgresql://u:p@/docket?host=/run/postgresql', { host: '/run/postgresql', port: 5432, user: 'u', ssl: false }],
  ['postgresql://%2Frun%2Fpostgresql/docket', { host: '/run/postgresql', database: 'docket' }],
  ['postgresql:///docket?user=u&host=db&port=6000', { user: 'u', host: 'db', port: 6000, database: 'docket' }],
  ['postgresql://db/?dbname=docket&application_name=me%20too&options=-c%20geqo%3Doff', { database: 'docket' }],
  ['postgresql://db?application_name=me%20too&options=-c%20geqo%3Doff', { application_name: 'me too' }],
  ['postgresql://db?options=-c%20geqo%3Doff', { options: '-c geqo=off' }],
  ['postgresql://a,b/docket?connect_timeout=3', { connectionTimeoutMillis: 6_000, accepts: 'read-write' }],
  ['postgresql://db/docket?target_session_attrs=primary', { accepts: 'primary' }],
  ['postgresql://db/docket?schema=public&pgbouncer=true', { database: 'docket' }],
])('%s is read by the rules of libpq', (address, expected) => {
  expect(read(address)).toMatchObject(expected)
})

test.each([
  ['postgresql://u:p@a:1,b,[fd00::1]:3/docket', 'a:1,b:5432,[fd00::1]:3/docket'],
  ['postgresql:///docket?host=a,b&port=1,2', 'a:1,b:2/docket'],
  ['postgresql:///docket?host=a,b&port=7', 'a:7,b:7/docket'],
  ['postgresql://a:1,b:2/docket?host=/run', 'another number of ports'],
])('several hosts and ports: %s', (address, expected) => {
  const describe = () => describePlace(readPostgresAddress(address))
  if (expected.includes('/')) expect(describe()).toBe(expected)
  else expect(describe).toThrow(expected)
})

test.each([
  ['mysql://db/docket', 'must be an address of PostgreSQL'],
  ['docket at its best', 'must be an address of PostgreSQL'],
  ['postgresql://u:p@ss@db/docket', 'percent-encode'],
  ['postgresql://u:p#ss@db/docket', 'percent-encode'],
  ['postgresql://u:p/ss@db/docket', 'percent-encode'],
  ['postgresql://u:p?ss@db/docket', 'percent-encode'],
  ['postgresql://u:pass#word', 'percent-encode'],
  ['postgresql://u:%ff@db/docket', 'percent-encode'],
  ['postgresql://u:a%00b@db/docket', 'percent-encode'],
  ['postgresql://db:65536/docket', 'ports from 1 to 65535'],
  ['postgresql://a:1,b:0/docket', 'ports from 1 to 65535'],
  ['postgresql://fd00::1/docket', 'must name hosts'],
  ['postgresql://db?target_session_attrs=standby', 'because Docket writes'],
  ['postgresql://db?target_session_attrs=prefer-standby', 'because Docket writes'],
  ['postgresql://db?target_session_attrs=read-only', 'because Docket writes'],
  ['postgresql://db?sslmode=verify', 'an sslmode that Docket does not know'],
  ['postgresql://db?passfile=/x', 'the parameter passfile'],
  ['postgresql://db?hostaddr=10.0.0.1', 'the parameter hostaddr'],
])('%s is one mistake with one sentence', (address, sentence) => {
  expect(() => readPostgresAddress(address)).toThrow(AddressMistake)
  expect(() => readPostgresAddress(address)).toThrow(sentence)
})

test('what the address leaves out comes from PGHOST and PGPORT, as in all programs of PostgreSQL', () => {
  vi.stubEnv('PGHOST', '/run/postgresql').stubEnv('PGPORT', '6000')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(read('postgresql:///docket').hosts).toEqual([{ host: '/run/postgresql', port: 6000 }])
})

test('the address in a message is an example that the log leaves whole', async () => {
  const error = await readConfig({ DATABASE_URL: 'mysql://db' }).catch((error: unknown) => error)
  expect(describeFailure(error)).toContain(
    'DATABASE_URL must be an address of PostgreSQL, such as postgresql://db.example.com/docket.',
  )
})

const letters = 'Q X Z J Ö ж Щ 漢'.split(' ')
const hostile = '@@:://??##%%&&+ ,;=[]{}|\\^`"\'<>!$*()~\t'.split('')
const pick = (from: readonly string[]): string => from[randomInt(from.length)]!

/** A password of letters that no sentence of Docket has three of, between characters that mean something in an address. */
const makePassword = (): string =>
  Array.from({ length: 12 + randomInt(20) }, () => (randomInt(3) > 0 ? pick(letters) : pick(hostile))).join('')

const listPieces = (password: string): string[] =>
  Array.from({ length: password.length - 2 }, (_, start) => password.slice(start, start + 3)).filter((piece) =>
    letters.some((letter) => piece.includes(letter)),
  )

/** Everything that Docket says of an address: at start, in the log, and in check-config. */
const sayAll = async (DATABASE_URL: string): Promise<string> => {
  const said: string[] = []
  const note = (error: unknown) => void said.push(String(error), describeFailure(error))
  await readConfig({ DATABASE_URL, DATABASE_DIRECT_URL: DATABASE_URL }).catch(note)
  await waitUntilDatabaseAnswers(DATABASE_URL, 0, { warn: note }).catch(note)
  for (const { text } of await checkAll({ DATABASE_URL, DATA_DIR: '/nonexistent' }, { reach: false })) said.push(text)
  return said.join('\n')
}

test('no piece of a password appears in anything that Docket says, however it is written', async () => {
  const samples = Number(process.env['SAMPLES'] ?? 30)
  for (let round = 0; round < samples; round += 1) {
    const password = makePassword()
    const encoded = encodeURIComponent(password)
    for (const address of [
      `postgresql://docket:${password}@127.0.0.1:1/docket`,
      `postgresql://docket:${encoded}@127.0.0.1:1/docket`,
      `postgresql://docket:${encoded}@127.0.0.1:1,127.0.0.1:2/docket`,
      `postgresql://docket@127.0.0.1:1/docket?password=${password}`,
      `postgresql://docket@127.0.0.1:1/docket?password=${encoded}&sslmode=${password}`,
    ]) {
      const said = await sayAll(address)
      expect(listPieces(password).filter((piece) => said.includes(piece))).toEqual([])
    }
  }
})
