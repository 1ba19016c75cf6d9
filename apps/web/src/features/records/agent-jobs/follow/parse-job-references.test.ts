import { expect, test } from 'vitest'
import { parseJobReferences } from './parse-job-references.ts'

const parseKeys = (input: string) =>
  parseJobReferences(input).map((found) => (found.kind === 'job' ? [found.projectId, found.id] : [null, null]))
const parsePulls = (input: string) =>
  parseJobReferences(input).map((found) => (found.kind === 'pull-request' ? found.pull : null))
const findProblem = (input: string) => {
  const [found] = parseJobReferences(input)
  return found?.kind === 'unreadable' ? found.problem : null
}

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

test('a job pasted as JSON has no project, even if the JSON is pretty-printed', () => {
  const job = { id: 'job_1', status: 'active', source: { repository: 'https://github.com/a/b', ref: null } }
  expect(parseKeys(JSON.stringify(job))).toEqual([[null, 'job_1']])
  expect(parseKeys(JSON.stringify(job, null, 2))).toEqual([[null, 'job_1']])
  expect(parseKeys(JSON.stringify([job, { ...job, id: 'job_2' }], null, 2))).toEqual([
    [null, 'job_1'],
    [null, 'job_2'],
  ])
})

test('lines are parsed one by one, and an invalid line does not affect valid ones', () => {
  expect(parseKeys('docs job_1\r\n\r\nwhat is this\n{"id":"job_2"}')).toEqual([
    ['docs', 'job_1'],
    [null, null],
    [null, 'job_2'],
  ])
})

test('a job that is named twice is listed once', () => {
  expect(parseKeys('docs job_1\ndocs/job_1\n/v2/agent/docs/job/job_1')).toEqual([['docs', 'job_1']])
})

test('escapes in an address are decoded, so that the id equals the service’s id', () => {
  expect(parseKeys('/v2/agent/my%20docs/job/a%2Fb')).toEqual([['my docs', 'a/b']])
})

test.each([
  ['three words', 'docs job_1 more'],
  ['a row with an empty cell', 'docs;;job_1'],
  ['a row without its job', 'docs,'],
  ['too many slashes', 'docs/job/1'],
  ['nothing after the slash', 'docs/'],
  ['an address of something else', 'https://github.com/acme/docs/issues/1'],
  ['a pull request without a number', 'https://github.com/acme/docs/pull/new'],
  ['a script for an address', 'javascript://x/acme/docs/pull/1'],
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

test('a single word is read as a job id without a project', () => {
  expect(parseKeys('job_1\n3f0c9a52-8d1e-4f6b-9b51-2f1f8e6f4f10')).toEqual([
    [null, 'job_1'],
    [null, '3f0c9a52-8d1e-4f6b-9b51-2f1f8e6f4f10'],
  ])
})

test.each([
  ['GitHub', 'https://github.com/Acme/docs/pull/12/files?w=1#diff', 'github.com/acme/docs/pull/12', 'docs'],
  [
    'GitLab',
    'https://gitlab.com/a/Handbook/-/merge_requests/7',
    'gitlab.com/a/handbook/-/merge_requests/7',
    'handbook',
  ],
  ['Gitea', 'http://127.0.0.1:3100/docket/docs/pulls/3', '127.0.0.1:3100/docket/docs/pulls/3', 'docs'],
  ['Bitbucket', 'https://bitbucket.org/acme/docs/pull-requests/4/', 'bitbucket.org/acme/docs/pull-requests/4', 'docs'],
  [
    'Bitbucket Data Center',
    'https://git.example.com/projects/AC/repos/docs/pull-requests/5/overview',
    'git.example.com/projects/ac/repos/docs/pull-requests/5',
    'docs',
  ],
  [
    'Azure DevOps',
    'https://dev.azure.com/acme/Our%20Docs/_git/the%20docs/pullrequest/6',
    'dev.azure.com/acme/our%20docs/_git/the%20docs/pullrequest/6',
    'the docs',
  ],
])('an address on %s is recognised as a pull request, whatever follows its number', (_, input, address, repository) => {
  expect(parsePulls(input)).toEqual([{ address, repository }])
  expect(parsePulls(`see ${input}`)).toEqual([{ address, repository }])
})

test('two addresses of one pull request become one entry, and a job listed before them stays', () => {
  const [a, b] = ['https://github.com/acme/docs/pull/12', 'https://github.com/acme/docs/pull/12/commits']
  expect(parseJobReferences(`docs job_1\n${a}\n${b}`).map(({ kind }) => kind)).toEqual(['job', 'pull-request'])
})

test('a table’s first line names its columns, separated by commas, semicolons or tabs; unknown columns are ignored', () => {
  const rows = [
    ['docs', 'job_1'],
    [null, 'job_2'],
  ]
  expect(parseKeys('projectId,id\ndocs,job_1\n,job_2')).toEqual(rows)
  const quoted = 'Title;Job ID;Project\r\n"Fix; format";job_1;docs\r\n"say ""hi""";"job_2";\r\n'
  expect(parseKeys(`\ufeff${quoted}`)).toEqual(rows)
  expect(parseKeys('id\tproject\njob_1\tdocs\njob_2\t')).toEqual(rows)
  expect(parseKeys('project\tid\ndocs\tjob_1\n\tjob_2')).toEqual(rows)
  expect(parseKeys('id\njob_1\njob_2').map(([, id]) => id)).toEqual(['job_1', 'job_2'])
  expect(parseKeys('docs, job_1')).toEqual([['docs', 'job_1']])
})

test('a table row is stored as text that names the same job without the table', () => {
  const table = 'title,projectId,id\nx,docs,job_1\ny,,job_2\nz,my docs,a/b\nq,,a b\nnone,docs,'
  const found = parseJobReferences(table)
  expect(found.map(({ text }) => text)).toEqual([
    'docs job_1',
    'job_2',
    '{"projectId":"my docs","id":"a/b"}',
    '{"id":"a b"}',
    'none,docs,',
  ])
  expect(found.at(-1)).toMatchObject({ kind: 'unreadable', problem: 'The job ID is empty.' })
  const readable = found.slice(0, 4)
  expect(parseJobReferences(readable.map(({ text }) => text).join('\n'))).toEqual(readable)
})

test('empty text contains no jobs', () => {
  expect(parseJobReferences(' \n\t ')).toEqual([])
})

test('parsing huge or hostile text neither throws nor hangs', () => {
  const hostile = [
    '/v2/agent/'.repeat(20_000),
    `docs ${'a,'.repeat(90_000)}`,
    '\\\n'.repeat(90_000),
    '['.repeat(100_000),
    '__proto__ constructor',
    `id,x\n${'"'.repeat(100_000)}`,
    `id,x\n${',"a'.repeat(50_000)}`,
    `https://x/${'pull/'.repeat(39_000)}`,
  ]
  for (const text of hostile) expect(Array.isArray(parseJobReferences(text))).toBe(true)
})
