import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const docs = join(import.meta.dirname, '..', 'docs')
const sheet = readFileSync(join(docs, 'security/asvs-5.0-level-2.md'), 'utf8')
const settings = new Set(readFileSync(join(docs, 'configuration.md'), 'utf8').match(/(?<=^\| `)\w+/gm))

/** Numbers of ASVS 5.0.0 by level: `1.2.1-3` stands for 1.2.1, 1.2.2 and 1.2.3. */
const ranges = {
  1: `1.2.1-5 1.3.1-2 1.5.1 2.1.1 2.2.1-2 2.3.1 3.2.1-2 3.3.1 3.4.1-2 3.5.1-3 4.1.1 4.4.1 5.2.1-2 5.3.1-2 6.1.1 6.2.1-8
    6.3.1-2 6.4.1-2 7.2.1-4 7.4.1-2 8.1.1 8.2.1-2 8.3.1 9.1.1-3 9.2.1 10.4.1-5 11.3.1-2 11.4.1 12.1.1 12.2.1-2 13.4.1
    14.2.1 14.3.1 15.1.1 15.2.1 15.3.1`,
  2: `1.1.1-2 1.2.6-9 1.3.3-11 1.4.1-3 1.5.2 2.1.2-3 2.2.3 2.3.2-4 2.4.1 3.3.2-4 3.4.3-6 3.5.4-5 3.7.1-2 4.1.2-3 4.2.1
    4.3.1-2 4.4.2-4 5.1.1 5.2.3 5.4.1-3 6.1.2-3 6.2.9-12 6.3.3-4 6.4.3-4 6.5.1-5 6.6.1-3 6.8.1-4 7.1.1-3 7.3.1-2
    7.4.3-5 7.5.1-2 7.6.1-2 8.1.2 8.2.3 8.4.1 9.2.2-4 10.1.1-2 10.2.1-2 10.3.1-4 10.4.6-11 10.5.1-5 10.6.1-2 10.7.1-3
    11.1.1-2 11.2.1-3 11.3.3 11.4.2-4 11.5.1 11.6.1 12.1.2-3 12.3.1-4 13.1.1 13.2.1-5 13.3.1-2 13.4.2-5 14.1.1-2
    14.2.2-4 14.3.2-3 15.1.2-3 15.2.2-3 15.3.2-7 16.1.1 16.2.1-5 16.3.1-4 16.4.1-3 16.5.1-3 17.1.1 17.2.1-4 17.3.1-2`,
} as const

const readNumbers = (text: string): string[] =>
  text.split(/\s+/).flatMap((range) => {
    const [, section = '', first = '', last = first] = /^(\d+\.\d+\.)(\d+)(?:-(\d+))?$/.exec(range) ?? []
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => `V${section}${Number(first) + at}`)
  })
const wanted = ([1, 2] as const).flatMap((level) => readNumbers(ranges[level]).map((number) => `${number} ${level}`))

/** Each answer, and the form of the last cell that it needs. */
const answers: Readonly<Record<string, (reason: string) => boolean>> = {
  test: (reason) => /`(pnpm prove [\w-]+|[\w./-]+\.(test|spec|prove)\.ts)`/.test(reason),
  setting: (reason) => [...reason.matchAll(/`(\w+)`/g)].some(([, name = '']) => settings.has(name)),
  document: (reason) => /\]\(\.\.?\/[^)]+\)/.test(reason),
  'not applicable': (reason) => /\w+ .*\.$/.test(reason),
  'not met': (reason) => /\w+ .*\.$/.test(reason),
}

const readRows = (markdown: string) =>
  [...markdown.matchAll(/^\| (V[\d.]+) \| (\d) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
    ([, number = '', level = '', , answer = '', reason = '']) => ({ number, level, answer, reason }),
  )

/** The counts and the list at the top, computed from the rows below. */
const summarize = (rows: ReturnType<typeof readRows>) => {
  const counts = (answer?: string) => {
    const count = (level: string) =>
      rows.filter((row) => row.level === level && (answer ?? row.answer) === row.answer).length
    return `| ${count('1')} | ${count('2')} | ${count('1') + count('2')} |`
  }
  const missing = rows.filter(({ answer }) => answer === 'not met').map(({ number }) => number)
  return [
    ...Object.keys(answers).map((answer) => [`| ${answer} | `, counts(answer)] as const),
    ['| all | ', counts()] as const,
    ['Not met: ', `${missing.join(', ')}.`] as const,
  ]
}

const findFaults = (markdown: string): string[] => {
  const rows = readRows(markdown)
  const found = rows.map(({ number, level }) => `${number} ${level}`)
  const lines = markdown.replaceAll(',\n', ', ').split('\n')
  return [
    ...wanted.filter((line) => !found.includes(line)).map((line) => `missing: ${line}`),
    ...found.filter((line, at) => !wanted.includes(line) || found.indexOf(line) !== at).map((line) => `extra: ${line}`),
    ...rows
      .filter(({ answer, reason }) => answers[answer]?.(reason) !== true)
      .map(({ number, answer }) => `${number}: "${answer}" needs another reason`),
    ...summarize(rows)
      .filter(([start, end]) => !lines.some((line) => line.startsWith(start) && line.endsWith(end)))
      .map(([start, end]) => `summary: ${start}… ${end}`),
  ]
}

test('the ASVS sheet answers every requirement of levels 1 and 2 once, in an allowed form, with a correct summary', () => {
  expect(wanted).toHaveLength(253)
  expect(findFaults(sheet)).toEqual([])
})

test.each<[name: string, from: RegExp, to: string, fault: RegExp]>([
  ['a requirement that is missing', /^\| V1\.2\.1 .*\n/m, '', /^missing: V1\.2\.1 1$/],
  ['a requirement that is there twice', /^(\| V1\.2\.1 .*\n)/m, '$1$1', /^extra: V1\.2\.1 1$/],
  ['another level', /V1\.2\.1 \| 1 /, 'V1.2.1 | 2 ', /^missing: V1\.2\.1 1$/],
  ['an answer that nobody knows', /(V4\.3\.1 .*)not applicable/, '$1perhaps', /^V4\.3\.1: "perhaps"/],
  ['a test that is not named', /(V3\.4\.2 .*\| test \|).*/, '$1 Somewhere. |', /^V3\.4\.2: "test"/],
  ['a setting that does not exist', /`BUNDLE_HOSTS`|`ADMIN_API_URL`|`OIDC_ISSUER`|`LOCAL_\w+`/g, '`X`', /"setting"/],
  ['a document without a link', /(V2\.1\.2 .*\| document \|).*/, '$1 Somewhere |', /^V2\.1\.2: "document"/],
  ['no reason', /(V1\.2\.6 .*\| not applicable \|).*/, '$1 - |', /^V1\.2\.6: "not applicable"/],
  ['a wrong count', /^(\| test \| .*\| )\d+ \|$/m, '$10 |', /^summary: \| test/],
  ['a wrong list', /^Not met: V[\d.]+, /m, 'Not met: ', /^summary: Not met/],
])('an ASVS sheet with %s is reported as faulty', (_, from, to, fault) => {
  expect(findFaults(sheet.replace(from, to))).toContainEqual(expect.stringMatching(fault))
})
