import { expect, test } from 'vitest'
import { smallSites } from '#testing/small-sites.ts'
import { checkContents, listAlarms } from '#testing/site.ts'

const check = async (name: keyof typeof smallSites) => {
  const { report, ...site } = await checkContents(smallSites[name])
  return { ...site, ...report, alarms: listAlarms(report.findings) }
}
const listNotes = (findings: Awaited<ReturnType<typeof check>>['findings']) =>
  findings.filter(({ rule }) => rule === 'left-out-rule').map(({ sentence }) => sentence)

test('a site built for a path is found at that path, and only its addresses elsewhere are notes', async () => {
  const { alarms, mount, findings, pages } = await check('built for a path')
  expect(alarms).toEqual([])
  expect(mount).toBe('/proj/')
  expect(findings.map(({ rule }) => rule)).toContain('mount')
  expect(pages.map(({ address }) => address)).toEqual(['/', '/404', '/guide/', '/guide/start'])
})

test('what rules with statuses, names and conditions lead to is found, and those left out are named', async () => {
  const { alarms, findings, rules } = await check('rules with statuses, names and conditions')
  expect(alarms).toEqual([])
  expect(listNotes(findings).toSorted()).toEqual([
    'Docket leaves out the rule for /api/*: it passes requests on to another host.',
    'Docket leaves out the rule for /lang: it depends on the language of the reader.',
    'Docket leaves out the rule for https://blog.example.net/*: it depends on the host that a reader asks.',
  ])
  expect(rules?.rules).toHaveLength(12)
})

test('a rule that leads to nothing breaks, and so do rules that lead to each other', async () => {
  const { alarms, findings } = await check('rules that never arrive')
  expect(alarms.toSorted()).toEqual([
    'missing-page /newfoo',
    'redirect-loop /round1',
    'redirect-loop /round2',
    'rule-to-nothing /none/:splat',
    'rule-to-nothing /nowhere',
  ])
  expect(findings.find(({ target }) => target === '/nowhere')?.places).toEqual([
    { page: null, path: '_redirects', excerpt: '/old /nowhere 301', line: null },
  ])
  expect(listNotes(findings)).toHaveLength(1)
})

test.for([
  'a 404 page for each language',
  'old endings and capital letters',
  'names as a crawler writes them',
] as const)('no page is missing that hosting finds: %s', async (name) => {
  expect((await check(name)).alarms).toEqual([])
})

test('a link finds a name in the other Unicode form, as hosting does', async () => {
  const { alarms, findings } = await check('names as macOS writes them')
  expect(alarms).toEqual([])
  expect(findings.map(({ rule }) => rule)).not.toContain('orphan-page')
})

test('rules of Vercel arrive, and what needs a regular expression is left out by name', async () => {
  const { alarms, findings } = await check('rules of Vercel')
  expect(alarms).toEqual([])
  const pattern = 'its pattern has more than names, numbers and a rest at its end.'
  expect(listNotes(findings).toSorted()).toEqual([
    'Docket leaves out the rule for /(.*): Docket reads headers from _headers only.',
    'Docket leaves out the rule for /here: it has the condition “has”.',
    `Docket leaves out the rule for /n/(\\d+): ${pattern}`,
    `Docket leaves out the rule for /p-(\\d+): ${pattern}`,
    `Docket leaves out the rule for /slow/:x((a+)+): ${pattern}`,
  ])
})

test('a 404 page of a folder needs no link', async () => {
  const { findings } = await check('a 404 page for each language')
  expect(findings.find(({ rule }) => rule === 'orphan-page')?.places.map(({ path }) => path) ?? []).not.toContain(
    'de/404.html',
  )
})

test('a rule whose target has bytes that are not UTF-8 leads to nothing', async () => {
  const { report } = await checkContents({ 'index.html': '<title>Home</title>', _redirects: '/a/:n /b%ff/:n/x 301' })
  expect(listAlarms(report.findings)).toEqual(['rule-to-nothing /b%ff/:n/x'])
})

test.for([
  ['/o', (at: number) => `/o${at} /`, '/o10000: only the first 10,000 are read'],
  [
    '/:a/o',
    (at: number) => `/:a/o${at}/* /`,
    '/:a/o1000/*: of patterns that begin alike, only the first 1,000 are read',
  ],
] as const)(
  'thousands of rules are checked quickly, and one line names all that are too many: %s',
  async ([, write, line]) => {
    const lines = Array.from({ length: 10_001 }, (_, at) => write(at))
    const { report } = await checkContents({ 'index.html': '<title>Home</title>', _redirects: lines.join('\n') })
    expect(listNotes(report.findings)).toContain(`Docket leaves out the rule for ${line}.`)
    expect(listNotes(report.findings).length).toBeLessThan(3)
  },
)
