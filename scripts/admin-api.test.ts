import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const sheet = read('docs/admin-api.md')

/** Rows without a test, and tests that their file doesn't have. */
const findFaults = (markdown: string): string[] =>
  markdown
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .flatMap((line) => {
      const cell = line.split(' | ')[2]?.replace(/ \|$/, '') ?? ''
      return cell.split(' · ').flatMap((evidence) => {
        const [, file = '', name = ''] = /^`([\w./-]+\.(?:test|spec)\.ts)` › (\S.*)$/.exec(evidence) ?? []
        if (!existsSync(join(root, file)) || name === '') return [`no test: ${evidence}`]
        // A browser test may have a tag, and a test with cases has them between its words and its name.
        const isThere = ["'", '"', '`'].some((quote) =>
          [quote, ' @story'].some((end) => read(file).includes(`${quote}${name}${end}`)),
        )
        return isThere ? [] : [`no test: ${evidence}`]
      })
    })

test('each of the 24 rows about the Admin API names tests that exist', () => {
  expect(sheet.match(/^\| \d/gm)).toHaveLength(24)
  expect(findFaults(sheet)).toEqual([])
})

test.each([
  ['a test that its file lost', ' › only a completed export has a bundle', ' › only a running export has a bundle'],
  ['a file that is gone', 'bundles.routes.test.ts` ›', 'bundles.lost.test.ts` ›'],
  ['the beginning of a name', 'only a completed export has a bundle', 'only a completed export'],
  ['no test', /`[^`]+` › only a completed export has a bundle/, ''],
])('a row with %s is noticed', (_, from, to) => {
  const changed = sheet.replace(from, to)
  expect(changed).not.toBe(sheet)
  expect(findFaults(changed)).toHaveLength(1)
})

/** Admin API §1. */
const features = `Documentation search: available, configurable, unavailable
AI assistant: available, configurable, unavailable
Web analytics: available, configurable, unavailable
API playground: available, available, configurable
Static export bundle: available, available, available`

test('the page of a connection and the guide list the features of each kind of deployment as the Admin API describes them', () => {
  const guide = [
    ...read('docs/guide/reference/availability.md').matchAll(/^\| (\w[^|]*) \| (\w+) \| (\w+) \| (\w+) \|$/gm),
  ]
  const page = [
    ...read('apps/web/src/features/service/connections/availability-list.tsx').matchAll(
      /name: '([^'(]+?)(?: \([^']*)?',\s+cloud: '(\w+)',\s+'client-hosted': '(\w+)',\s+'air-gapped': '(\w+)'/g,
    ),
  ]
  for (const found of [guide, page])
    expect(found.map(([, name, ...kinds]) => `${name}: ${kinds.join(', ')}`).join('\n')).toBe(features)
})
