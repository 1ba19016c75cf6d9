import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseChangelog } from '#apps/web/src/features/overview/about/release-notes.ts'

test('the page about Docket shows every entry of the changelog, below a heading', () => {
  const text = readFileSync(join(import.meta.dirname, '..', 'CHANGELOG.md'), 'utf8')
  const areas = parseChangelog(text).flatMap((release) => release.areas)
  expect(areas.flatMap(({ entries }) => entries)).toHaveLength(text.match(/^- /gm)!.length)
  expect(areas.every(({ title, entries }) => title !== '' && entries.length > 0)).toBe(true)
})
