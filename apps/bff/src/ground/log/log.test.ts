import { DrizzleQueryError } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { describeFailure } from './failure.ts'
import { createLog } from './log.ts'

const logging = (secrets: Iterable<string> = []) => {
  const lines: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(line) }, secrets })
  return { log, lines }
}

test('every event is one JSON line with time and level, and events below the level are left out', () => {
  const { log, lines } = logging()
  log.debug('left out')
  log.info({ exportId: 'e1' }, 'started\nanew')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/^\{.*\}\n$/)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', exportId: 'e1', msg: 'started\nanew' })
})

test('a secret added later is redacted from then on, even if it is encoded', () => {
  const secrets = new Set<string>()
  const { log, lines } = logging(secrets)
  secrets.add('prefix_s3cr3t/value')
  log.warn({ url: `https://x.test/${encodeURIComponent('prefix_s3cr3t/value')}` }, 'told prefix_s3cr3t/value')
  expect(lines.join('')).not.toMatch(/s3cr3t/)
})

test.for([
  ['Authorization: Bearer abc.DEF-123', 'abc.DEF-123'],
  ['GET https://s.test/b.tar.gz?sig=abcdef failed', 'abcdef'],
  ['postgresql://docket:hunter2@db.test/docket', 'hunter2'],
] as const)('%s is redacted in a message, an error and its cause', ([text, secret]) => {
  const { log, lines } = logging()
  log.error({ err: new Error(text, { cause: new Error(text) }), url: text, cause: text }, text)
  expect(lines).toHaveLength(1)
  expect(lines.join('')).not.toContain(secret)
})

test('an error is logged with its name, message, code and causes, and no other property', () => {
  const { log, lines } = logging()
  const error = Object.assign(new Error('no'), { code: 'E1', headers: { authorization: 'opaque-credential' } })
  log.error({ err: error }, 'failed')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ err: { type: 'Error', message: 'no', code: 'E1' } })
  expect(lines.join('')).not.toContain('opaque-credential')
})

test('a failed query is logged with its cause and without its parameters', () => {
  const { log, lines } = logging()
  const cause = new Error('violates a check')
  log.error(
    { err: new DrizzleQueryError('insert into t values ($1, $2)', ['typed by\na person', 'more'], cause) },
    'failed',
  )
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    err: { message: 'violates a check (while running: insert into t values ($1, $2))' },
  })
  expect(lines.join('')).not.toMatch(/typed by|more/)
})

test.each(['invalid input syntax for type uuid: "typed\nby"', 'value "typed\nby" is out of range for type integer'])(
  'a value repeated in a database error is not logged: %j',
  (message) => {
    const { log, lines } = logging()
    const cause = Object.assign(new Error(message), { severity: 'ERROR' })
    log.error({ err: new DrizzleQueryError('select $1', ['typed\n    at by'], cause) }, 'failed')
    expect(lines.join('')).toMatch(/(invalid input syntax|out of range) for type \w+/)
    expect(lines.join('')).not.toMatch(/typed|at by/)
  },
)

/** An error as pg-boss passes it on: a plain object with its properties. */
const copyError = (error: Error) => Object.assign({}, error, { message: error.message, stack: error.stack, queue: 'q' })

test.each<[string, unknown, string]>([
  ['a copied error', copyError(new Error('the disk is full')), 'the disk is full'],
  [
    'a copied error of the database',
    copyError(Object.assign(new Error('cannot execute UPDATE'), { severity: 'ERROR', code: '25006' })),
    '25006',
  ],
  ['an object with a message', { message: 'no route', code: 'E7' }, 'no route'],
  [
    'an error whose cause was copied',
    new Error('failed', { cause: { message: 'the disk is full' } }),
    'the disk is full',
  ],
  ['an object without a message', { status: 1 }, 'Object without a message'],
  ['nothing', undefined, 'undefined'],
])('a log line has its cause, whatever was thrown: %s', (_, thrown, expected) => {
  const { log, lines } = logging()
  log.error({ err: thrown }, describeFailure(thrown))
  expect(lines.join('')).toContain(expected)
  expect(lines.join('')).not.toContain('[object')
})
