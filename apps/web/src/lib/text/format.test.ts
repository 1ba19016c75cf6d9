import { expect, test } from 'vitest'
import {
  formatAgo,
  formatBytes,
  formatClock,
  formatDuration,
  formatInstant,
  formatLeft,
  formatPlural,
  formatRough,
  formatShortClock,
  formatUtc,
  isolateDomain,
  isolateText,
  revealHiddenCharacters,
} from './format.ts'

const now = Date.parse('2026-11-21T12:00:00.000Z')
const at = (ms: number) => new Date(now + ms).toISOString()

test.each([
  [-5, '0 s'],
  [0, '0 s'],
  [4999, '4 s'],
  [60_000, '1 min'],
  [72_000, '1 min 12 s'],
  [3_600_000, '1 h'],
  [7_500_000, '2 h 5 min'],
  [273_600_000, '3 d 4 h'],
])('%i ms last %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test.each([
  [59_999, '59 s'],
  [60_000, '1 min'],
  [86_399_000, '23 h'],
  [172_800_000, '2 d'],
])('%i ms are roughly %s', (ms, text) => {
  expect(formatRough(ms)).toBe(text)
})

test('an age is never negative, even if the clocks disagree', () => {
  expect(formatAgo(at(-4000), now)).toBe('4 s ago')
  expect(formatAgo(at(90_000), now)).toBe('just now')
})

test('an estimate is rounded, and an overdue one reads “longer than expected”', () => {
  expect(formatLeft(at(23_000), now)).toBe('about 30 s left')
  expect(formatLeft(at(130_000), now)).toBe('about 2 min left')
  expect(formatLeft(at(3000), now)).toBe('a few seconds left')
  expect(formatLeft(at(0), now)).toBe('longer than expected')
})

test('an estimate never shows 60 s or 0 min', () => {
  for (let ms = 8000; ms < 120_000; ms += 500)
    expect(formatLeft(at(ms), now)).toMatch(/about (?:[1-5]0 s|[1-9] min) left/)
  expect(formatLeft(at(56_000), now)).toBe('about 1 min left')
})

test.each([
  [0, /^0 B$/],
  [999, /^999 B$/],
  [1000, /^1 kB$/],
  [999_999, /^1 MB$/],
  [12_345_678, /^12[.,]3 MB$/],
  [5_000_000_000_000_000, /^5\D?000 TB$/],
])('%i bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toMatch(text)
})

test('a count of one has a singular noun', () => {
  expect(formatPlural(1, 'page')).toBe('1 page')
  expect(formatPlural(1204, 'page')).toMatch(/^1\D?204 pages$/)
})

test('a UTC time is printed in the format of the logs', () => {
  expect(formatUtc('2026-11-21T02:52:57.123Z')).toBe('2026-11-21 02:52:57 UTC')
})

test.each([formatInstant, formatClock, formatShortClock])('every printed time includes its zone: %o', (format) => {
  const at = '2026-11-21T02:52:57.123Z'
  const zone = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' })
    .formatToParts(new Date(at))
    .find(({ type }) => type === 'timeZoneName')
  expect(format(at)).toContain(zone?.value)
})

test('only text that could reorder its surroundings is isolated', () => {
  expect(isolateText('docs.example.com')).toBe('docs.example.com')
  expect(isolateText('Zoë 学')).toBe('Zoë 学')
  expect(isolateText('נועה')).toBe('\u2068נועה\u2069')
  expect(isolateText('سارة')).toBe('\u2068سارة\u2069')
  expect(isolateDomain('مثال.example')).toBe('\u2066مثال.example\u2069')
  expect(isolateText('evil\u202egnp.exe')).toBe('\u2068evil\u202egnp.exe\u2069')
})

test('characters that hide or reorder text become visible, and joiners of scripts and emoji stay', () => {
  expect(revealHiddenCharacters('a\u202eb\u2066\u200b\ufeff')).toBe('a[U+202E]b[U+2066][U+200B][U+FEFF]')
  expect(revealHiddenCharacters('bell\u0007 escape\u001b[31m delete\u007f')).toBe('bell␇ escape␛[31m delete␡')
  expect(revealHiddenCharacters('tag\u{e0041}')).toBe('tag[U+E0041]')
  expect(revealHiddenCharacters('👩\u200d💻 می\u200cخواهم\ttab\nline')).toBe('👩\u200d💻 می\u200cخواهم\ttab\nline')
})
