import { expect, test } from 'vitest'
import { countNewReleases, parseChangelog, parseTextPieces } from './release-notes.ts'

const changelog = `# Changelog

What an operator notices, newest first.

## Unreleased

### Pages

- One thing that goes
  on in a second line.
- Another.

A paragraph.

## 1.1.0 – 2026-12-01

- Without an area.

## [1.0.0] - 2026-11-24

### Exports

- \`FIRST_SETTING\` is **new**.
`

test('the changelog is parsed into releases with version, date, areas and wrapped entries', () => {
  expect(parseChangelog(changelog)).toEqual([
    {
      version: null,
      date: null,
      areas: [{ title: 'Pages', entries: ['One thing that goes on in a second line.', 'Another.', 'A paragraph.'] }],
    },
    { version: '1.1.0', date: '2026-12-01', areas: [{ title: 'Changes', entries: ['Without an area.'] }] },
    { version: '1.0.0', date: '2026-11-24', areas: [{ title: 'Exports', entries: ['`FIRST_SETTING` is **new**.'] }] },
  ])
})

test('releases after the last-read version are new, and all are new if that version is unknown', () => {
  const releases = parseChangelog(changelog)
  expect([null, '1.1.0', '1.0.0', '0.1.0'].map((lastRead) => countNewReleases(releases, lastRead))).toEqual([
    0, 1, 2, 3,
  ])
})

test('Markdown emphasis becomes styles, names with underscores stay unchanged, and links become text', () => {
  expect(parseTextPieces('**Changed:** `A_B` of _Needs attention_ in A_B_C, see [the docs](./docs.md).')).toEqual([
    { text: 'Changed:', look: 'strong' },
    { text: ' ', look: 'plain' },
    { text: 'A_B', look: 'code' },
    { text: ' of ', look: 'plain' },
    { text: 'Needs attention', look: 'emphasis' },
    { text: ' in A_B_C, see ', look: 'plain' },
    { text: 'the docs', look: 'plain' },
    { text: '.', look: 'plain' },
  ])
})
