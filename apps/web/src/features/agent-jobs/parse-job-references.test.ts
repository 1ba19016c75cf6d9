import { expect, test } from 'vitest'
import { parseJobReferences } from './parse-job-references.ts'

const parseKeys = (input: string) => parseJobReferences(input).map(({ projectId, id }) => [projectId, id])
const findProblem = (input: string) => parseJobReferences(input)[0]?.problem

test.each([
  ['two words', 'docs job_1'],
  ['two words with a tab', 'docs\tjob_1'],
  ['a comma between', 'docs, job_1'],
  ['a slash between', 'docs/job_1'],
  ['the path of the operation', '/v2/agent/docs/job/job_1'],
  ['a whole address', 'https://api.example.com/v2/agent/docs/job/job_1'],
  ['an address with query and fragment', 'https://api.example.com/base/v2/agent/docs/job/job_1?x=1#y'],
  ['a curl line', `curl -H "Authorization: Bearer k" "https://api.example.com/v2/agent/docs/job/job_1"`],
  ['a request line', 'GET /v2/agent/docs/job/job_1 HTTP/1.1'],
  [
    'a curl command over several lines',
    'curl \\\n  -H "Authorization: Bearer k" \\\n  https://api.example.com/v2/agent/docs/job/job_1',
  ],
  ['JSON that names its project', '{"projectId":"docs","id":"job_1"}'],
])('%s names the job', (_, input) => {
  expect(parseKeys(input)).toEqual([['docs', 'job_1']])
})

test('the JSON of a job has no project, also when it is pretty-printed', () => {
  const job = { id: 'job_1', status: 'active', source: { repository: 'https://github.com/a/b', ref: null } }
  expect(parseKeys(JSON.stringify(job))).toEqual([[null, 'job_1']])
  expect(parseKeys(JSON.stringify(job, null, 2))).toEqual([[null, 'job_1']])
  expect(parseKeys(JSON.stringify([job, { ...job, id: 'job_2' }], null, 2))).toEqual([
    [null, 'job_1'],
    [null, 'job_2'],
  ])
})

test('several lines are read one by one, and a bad one does not spoil the good ones', () => {
  expect(parseJobReferences('docs job_1\r\n\r\nrubbish\n{"id":"job_2"}').map(({ id }) => id)).toEqual([
    'job_1',
    null,
    'job_2',
  ])
})

test('a job named twice is kept once', () => {
  expect(parseKeys('docs job_1\ndocs/job_1\n/v2/agent/docs/job/job_1')).toEqual([['docs', 'job_1']])
})

test('escapes in an address are undone, so that the id is the one the service gave', () => {
  expect(parseKeys('/v2/agent/my%20docs/job/a%2Fb')).toEqual([['my docs', 'a/b']])
})

test.each([
  ['one word', 'job_1'],
  ['three words', 'docs job_1 more'],
  ['too many slashes', 'docs/job/1'],
  ['nothing after the slash', 'docs/'],
  ['an address of something else', 'https://github.com/acme/docs/pull/1'],
  ['a broken escape', '/v2/agent/docs/job/%E0%A4%A'],
  ['a dot segment', '/v2/agent/../job/x'],
  ['an escaped dot segment', '/v2/agent/docs/job/%2e%2e'],
  ['an escaped control character', '/v2/agent/docs/job/a%00b'],
  ['an id that is too long', `docs ${'x'.repeat(257)}`],
  ['JSON without an id', '{"status":"active"}'],
  ['JSON with a number for an id', '{"id":1}'],
  ['broken JSON', '{"id":"job_1"'],
  ['an empty list', '[]'],
  ['a list of nothing', '[null]'],
  ['curl without the path', 'curl https://api.example.com/'],
])('%s is refused with a reason', (_, input) => {
  expect(findProblem(input)).toMatch(/\w/)
  expect(parseKeys(input)).toEqual([[null, null]])
})

test('nothing pasted gives nothing', () => {
  expect(parseJobReferences(' \n\t ')).toEqual([])
})

test('huge and hostile text neither throws nor hangs', () => {
  const hostile = [
    '/v2/agent/'.repeat(20_000),
    `docs ${'a,'.repeat(90_000)}`,
    '\\\n'.repeat(90_000),
    '['.repeat(100_000),
    '__proto__ constructor',
  ]
  for (const text of hostile) expect(Array.isArray(parseJobReferences(text))).toBe(true)
})
