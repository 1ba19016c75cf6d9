import { expect, test } from 'vitest'
import { appendLog, cleanLog, type LogText } from './log-text.ts'

const part = (text: string, nextOffset: number, rest: Partial<LogText> = {}): LogText => ({
  text,
  nextOffset,
  isCut: false,
  ended: false,
  ...rest,
})

test('consecutive parts of a log are joined, and a part that does not continue the log replaces it', () => {
  const first = appendLog(undefined, part('one\n', 4), 0)
  const second = appendLog(first, part('two\n', 8, { ended: true }), 4)
  expect(second).toEqual(part('one\ntwo\n', 8, { ended: true }))
  expect(appendLog(second, part('new\n', 4), 0)).toEqual(part('new\n', 4))
})

test('a long log keeps only its last lines and is marked as missing its beginning', () => {
  const lines = Array.from({ length: 5_000 }, (_, line) => `line ${line}\n`).join('')
  const { text, isCut } = appendLog(undefined, part(lines, lines.length), 0)
  expect(isCut).toBe(true)
  expect(text.split('\n')).toHaveLength(2_001)
  expect(text.startsWith('line 3000\n')).toBe(true)
  expect(appendLog(undefined, part('x'.repeat(999_999), 999_999), 0).text).toHaveLength(200_000)
})

test('terminal colours, cursor moves and overwritten progress lines are removed from a log', () => {
  expect(cleanLog('\u001b[31mred\u001b[0m\r\n10 %\r50 %\r100 %\nend\u0007\u001b]0;title\u0007')).toBe('red\n100 %\nend')
})
