import { expect, test } from 'vitest'
import { toProgress } from './wire-values.ts'
import {
  parseAgentJobLog,
  nothingKnown,
  parseAgentJob,
  parseBundleGrant,
  parseJobId,
  parseStaticExport,
} from './wire.ts'

const agentJob = {
  id: 'j',
  status: 'completed',
  source: { repository: 'https://git.example.com/acme/docs', ref: 'main' },
  model: 'm',
  prLink: 'https://git.example.com/acme/docs/pull/1',
  createdAt: '2026-01-02T03:04:05+02:00',
  archivedAt: null,
}

test('an agent job is read field by field, with times in UTC', () => {
  expect(parseAgentJob(agentJob)).toEqual({
    ...nothingKnown,
    status: 'completed',
    repository: 'https://git.example.com/acme/docs',
    ref: 'main',
    model: 'm',
    prLink: 'https://git.example.com/acme/docs/pull/1',
    createdAt: '2026-01-02T01:04:05.000Z',
    archivedAt: null,
  })
})

test('a missing, null or mistyped field becomes null, and the other fields are kept', () => {
  const wrong = [undefined, null, 7, true, [], {}, ['completed'], { status: 'completed' }]
  for (const field of ['status', 'model', 'prLink', 'createdAt', 'archivedAt'] as const) {
    for (const value of wrong) {
      expect(parseAgentJob({ ...agentJob, [field]: value })).toMatchObject({ [field]: null, ref: 'main' })
    }
  }
  for (const source of [...wrong, 'https://x.example']) {
    expect(parseAgentJob({ ...agentJob, source })).toMatchObject({ repository: null, ref: null, status: 'completed' })
  }
})

test('a response without job fields is ignored, and the last data is kept', () => {
  for (const body of [
    null,
    undefined,
    7,
    'completed',
    [],
    [agentJob],
    {},
    { ok: true },
    { data: agentJob },
    { status: 7 },
  ]) {
    expect(parseAgentJob(body)).toBeNull()
    expect(parseStaticExport(body)).toBeNull()
  }
  expect(parseAgentJob({ status: 'active' })).toEqual({ ...nothingKnown, status: 'active' })
  expect(parseStaticExport({ error: 'boom' })).toBeNull()
  expect(parseStaticExport(JSON.parse('{"__proto__":{"status":"completed"}}'))).toBeNull()
})

test('characters unsafe for a database or page are replaced, and a long address is dropped rather than cut', () => {
  const text = 'a\u0000b\u202ec\ud800'
  expect(parseAgentJob({ status: text, prLink: text })).toMatchObject({
    status: 'a\ufffdb\ufffdc\ufffd',
    prLink: 'a\ufffdb\ufffdc\ufffd',
  })
  expect(parseAgentJob({ status: 's'.repeat(9_999), prLink: `https://x.example/${'a'.repeat(2_048)}` })).toEqual({
    ...nothingKnown,
    status: 's'.repeat(100),
  })
})

const story = {
  title: 'Fix the links',
  report: 'Fixed 3 links.\r\n\r\n- one\n',
  error: { message: 'Out of memory' },
  startedAt: '2026-01-02T03:04:05Z',
  queuePosition: 2,
  lastLine: '\u001b[32mreading\u001b[0m guide.md',
  diffStat: { files: 1, added: 2, removed: 3 },
  usage: { inputTokens: 10, outputTokens: 20, costUsd: 0.5 },
  pullRequest: { number: 12, title: 'Fix links', state: 'Open', checks: 'passing', mergeable: true },
}

test('fields beyond the contract are read from every service that sends them', () => {
  expect(parseAgentJob({ ...agentJob, ...story, status: 'active' })).toMatchObject({
    isDetailed: true,
    isWaiting: true,
    serviceTitle: 'Fix the links',
    report: 'Fixed 3 links.\n\n- one',
    error: 'Out of memory',
    startedAt: '2026-01-02T03:04:05.000Z',
    queuePosition: 2,
    lastLine: 'reading guide.md',
    diffStat: story.diffStat,
    usage: story.usage,
    pullRequestNumber: 12,
    pullRequestState: 'open',
    pullRequestChecks: 'passing',
    pullRequestMergeable: true,
  })
})

test('an active job counts as waiting only if it has a queue position or a null startedAt', () => {
  const waits = (more: object) => parseAgentJob({ ...agentJob, status: 'active', ...more })?.isWaiting
  expect([waits({}), waits({ startedAt: null }), waits({ queuePosition: 1 }), waits({ queuePosition: 0 })]).toEqual([
    false,
    true,
    true,
    false,
  ])
  expect(waits({ status: 'completed', startedAt: null, queuePosition: 1 })).toBe(false)
})

test('mistyped or hostile extra fields are cleaned, cut or set to null, and the contract fields are kept', () => {
  const wrong = [null, 7, true, [], {}, '\u0000', { state: 7 }, Number.NaN, -1, 1e300]
  for (const field of Object.keys(story))
    for (const value of wrong)
      expect(parseAgentJob({ ...agentJob, [field]: value })).toMatchObject({ status: 'completed', ref: 'main' })
  const hostile = { title: 'a\u202eb', report: `x\u0000\u2066${'y'.repeat(99_999)}`, usage: { costUsd: '1' } }
  const job = parseAgentJob({ ...agentJob, ...hostile, pullRequest: { state: 'exploded', number: -1 } })
  expect(job).toMatchObject({ serviceTitle: 'a\ufffdb', usage: null, pullRequestState: null, pullRequestNumber: null })
  expect(job?.report).toMatch(/^x\ufffd\ufffdy{19997}$/)
})

test('a part of a log is plain text, and its next offset never decreases', () => {
  const part = { text: '\u001b]8;;https://x\u0007a\u001b[1mb\r\nc\u202e', nextOffset: 40, isCut: true, ended: false }
  expect(parseAgentJobLog(part, 7)).toEqual({ ...part, text: 'ab\nc\ufffd' })
  for (const wrong of [null, [], { ...part, text: 7 }, { ...part, nextOffset: 6 }, { ...part, nextOffset: '40' }])
    expect(parseAgentJobLog(wrong, 7)).toBeNull()
})

test('a date is read as ISO 8601, and anything else is null', () => {
  const table: [string, string | null][] = [
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05.123456Z', '2026-01-02T03:04:05.123Z'],
    ['2026-01-02T03:04:05', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02 03:04:05+0530', '2026-01-01T21:34:05.000Z'],
    ['2026-01-02 03:04:05 +02', '2026-01-02T01:04:05.000Z'],
    ['2026-01-02', null],
    ['yesterday', null],
    ['1', null],
    ['2026-13-02T03:04:05Z', null],
    ['0000-01-01T00:00:00Z', null],
    ['', null],
  ]
  for (const [createdAt, expected] of table)
    expect([createdAt, parseAgentJob({ ...agentJob, createdAt })?.createdAt]).toEqual([createdAt, expected])
})

test('progress is read in every sensible format, and any other value is null', () => {
  const table: [unknown, number | null, string?][] = [
    [42, 42, 'percent'],
    [100, 100, 'percent'],
    [100.4, 100, 'percent'],
    ['42', 42, 'percent'],
    [' 42.5 % ', 42.5, 'percent'],
    ['0.5%', 0.5, 'percent'],
    [0, 0, 'ambiguous'],
    [-0, 0, 'ambiguous'],
    [0.25, 0.25, 'ambiguous'],
    ['1', 1, 'ambiguous'],
    [{ done: 12, total: 48 }, 25, 'percent'],
    [{ completed: '1', total: '4' }, 25, 'percent'],
    [{ current: 0, total: 9 }, 0, 'percent'],
    [{ processed: 9, total: 9 }, 100, 'percent'],
    [{ percent: 0.5, done: 1, total: 2 }, 0.5, 'percent'],
    [{ percentage: '7' }, 7, 'percent'],
    [{ percent: '12 %' }, 12, 'percent'],
    [{ value: 3, max: 12 }, 25, 'percent'],
    ['3/10', 30, 'percent'],
    [' 40 of 100 ', 40, 'percent'],
    ['0 / 4', 0, 'percent'],
    ['3/0', null],
    ['30/10', null],
    ['/10', null],
    ['1/2/3', null],
    ['03/04/2026', null],
    [null, null],
    [undefined, null],
    ['', null],
    ['half', null],
    ['1e999', null],
    ['0x10', null],
    [Number.NaN, null],
    [Infinity, null],
    [-1, null],
    ['-1%', null],
    [250, null],
    [true, null],
    [[], null],
    [[42], null],
    [{}, null],
    [{ done: 1 }, null],
    [{ done: 1, total: 0 }, null],
    [{ done: -1, total: 2 }, null],
    [{ done: 9, total: 2 }, null],
    [{ done: 1, total: 'x' }, null],
  ]
  for (const [input, value, scale] of table)
    expect([input, toProgress(input)]).toEqual([input, value === null ? null : { value, scale }])
})

test('pageCount is a whole number that fits into the database column', () => {
  const table: [unknown, number | null][] = [
    [0, 0],
    [7, 7],
    ['7', 7],
    [' 7 ', 7],
    ['7.0', 7],
    [2 ** 31 - 1, 2 ** 31 - 1],
    [2 ** 31, null],
    [-1, null],
    [1.5, null],
    ['1,234', null],
    ['', null],
    [null, null],
    [{}, null],
  ]
  for (const [pageCount, expected] of table)
    expect(parseStaticExport({ status: 'x', pageCount })?.pageCount).toBe(expected)
})

test('a jobId is text that fits into a path', () => {
  expect([parseJobId({ jobId: 'a/b c' }), parseJobId({ jobId: ' a ' })]).toEqual(['a/b c', ' a '])
  for (const jobId of ['', '..', 1.5, 2 ** 53, null, {}, 'x'.repeat(257)]) expect(parseJobId({ jobId })).toBeNull()
})

test('a bundle link needs a web address, and expires at the earlier of the times in the response and in the link', () => {
  const at = Date.parse('2026-01-01T00:10:00Z')
  const link = 'https://store.example/b.tar.gz'
  const address = 'https://api.example.com/v1/static-export/jobs/e/bundle'
  const table: [object, number | null][] = [
    [{ bundleUrl: link }, null],
    [{ bundleUrl: link, expiresAt: '2026-01-01T00:10:00Z' }, at],
    [{ bundleUrl: `${link}?X-Amz-Date=20260101T000000Z&X-Amz-Expires=600` }, at],
    [{ bundleUrl: `${link}?x-goog-date=20260101T000000Z&x-goog-expires=600` }, at],
    [{ bundleUrl: `${link}?se=2026-01-01T00%3A10%3A00Z&sig=x` }, at],
    [{ bundleUrl: `${link}?Expires=${at / 1000}` }, at],
    [{ bundleUrl: `${link}?Expires=${at / 1000}`, expiresAt: '2026-01-01T01:00:00Z' }, at],
    [{ bundleUrl: `${link}?X-Amz-Date=today&X-Amz-Expires=600&se=soon` }, null],
  ]
  for (const [grant, expiresAtMs] of table)
    expect(parseBundleGrant(grant, address)).toMatchObject({ expiresAtMs, sizeBytes: null })
  expect(parseBundleGrant({ bundleUrl: link, sizeBytes: '12' }, address)).toEqual({
    bundleUrl: link,
    sizeBytes: 12,
    expiresAtMs: null,
  })
  for (const bundleUrl of [
    null,
    '',
    7,
    {},
    'b.tar.gz',
    'ftp://x.example/b',
    'https://',
    'pending',
    'javascript://x.example/b',
  ]) {
    expect(parseBundleGrant({ bundleUrl }, address)).toBeNull()
  }
})

test.each([
  ['/objects/x?sig=1', 'https://api.example.com/objects/x?sig=1'],
  ['//bucket.example.com/x', 'https://bucket.example.com/x'],
  ['../e/files/x', 'https://api.example.com/v1/static-export/jobs/e/files/x'],
  ['HTTPS://Bucket.example.com/a/../b', 'HTTPS://Bucket.example.com/a/../b'],
  [' https://bucket.example.com/a b?name="ü" ', 'https://bucket.example.com/a%20b?name="%C3%BC"'],
])('the link %s in an answer of the service leads to %s', (bundleUrl, link) => {
  const address = 'https://api.example.com/v1/static-export/jobs/e/bundle'
  expect(parseBundleGrant({ bundleUrl }, address)).toMatchObject({ bundleUrl: link })
})

test('credentials are removed from an address, and the rest is unchanged', () => {
  // Apart, so that no scan takes them for real ones.
  const at = '@'
  const table: [input: string, read: string][] = [
    [`https://x-access-token:ghs_0123${at}github.com/acme/docs`, 'https://[removed]@github.com/acme/docs'],
    ['https://ghs_0123@github.com/acme/docs.git', 'https://[removed]@github.com/acme/docs.git'],
    ['ssh://git@github.com/acme/docs', 'ssh://git@github.com/acme/docs'],
    [`ssh://git:pw${at}github.com/acme/docs`, 'ssh://[removed]@github.com/acme/docs'],
    ['git@github.com:acme/docs.git', 'git@github.com:acme/docs.git'],
    ['https://x.example/a?page=2&private_token=abc&x=1', 'https://x.example/a?page=2&private_token=[removed]&x=1'],
    [
      'https://x.example/a?X-Amz-Signature=abc&%73ig=d=e#id_token=f',
      'https://x.example/a?X-Amz-Signature=[removed]&%73ig=[removed]#id_token=[removed]',
    ],
    ['https://x.example/a/@b?token&tokens=3&keys=4', 'https://x.example/a/@b?token&tokens=3&keys=4'],
    ['https://x.example/%zz?%zz=1', 'https://x.example/%zz?%zz=1'],
  ]
  for (const [input, read] of table)
    expect(parseAgentJob({ prLink: input, source: { repository: input } })).toMatchObject({
      prLink: read,
      repository: read,
    })
})
