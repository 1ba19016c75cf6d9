import type { DiffLine } from '@docket/api-types/changes'
import { expect, test } from 'vitest'
import { formatLineText, toSideBySideRows } from './diff-rows.ts'
import { highlightLines } from './highlight.ts'

const line = (text: string, before: number | null, after: number | null): DiffLine => ({
  kind: text.startsWith('@@') ? 'hunk' : text.startsWith('+') ? 'added' : text.startsWith('-') ? 'removed' : 'same',
  text,
  before,
  after,
})

test('a replaced line is shown beside its replacement, and any other line alone', () => {
  const rows = toSideBySideRows([
    line('@@ -1,4 +1,3 @@', null, null),
    line(' title', 1, 1),
    line('-one', 2, null),
    line('-two', 3, null),
    line('+1', null, 2),
    line('-three', 4, null),
    line('\\ No newline at end of file', null, null),
    line('+3', null, 3),
  ])
  const shown = rows.map((row) =>
    'hunk' in row
      ? 'hunk'
      : `${row.before ? formatLineText(row.before) : '∅'} | ${row.after ? formatLineText(row.after) : '∅'}`,
  )
  expect(shown).toEqual(['hunk', 'title | title', 'one | 1', 'two | ∅', 'three | 3'])
})

test('syntax colouring keeps every character and line of the file', async () => {
  const texts = ['# Title', '', '```ts', 'const a = "<b>" // x', '```', '*b* [l](u)\u202e', '']
  const coloured = await highlightLines('docs/page.MDX', texts)
  expect(coloured.map((segments) => segments.map(({ text }) => text).join(''))).toEqual(texts)
  expect(coloured.flat().some(({ look }) => look !== '')).toBe(true)
  expect(await highlightLines('page.unknown', texts)).toEqual([])
})
