import { expect, test } from 'vitest'
import { findExcess } from './page-cost.ts'
import { TookTooLong, runWithinTime } from '@docket/sources/within-time'

const megabyte = (piece: string) => piece.repeat(Math.floor((1024 * 1024) / piece.length))

test.each([
  ['brackets that never close', megabyte('![')],
  ['stars', megabyte('**a*_b_')],
  ['back ticks', megabyte('`a')],
  ['footnotes', megabyte('[^1]')],
  ['headings', '# h\n'.repeat(100_000)],
  ['headings with old line ends', '# h\r'.repeat(100_000)],
  ['a table of 10,000 columns', `|${'a|'.repeat(10_000)}\n|${'-|'.repeat(10_000)}\n|${'a|'.repeat(10_000)}\n`],
  ['a table whose rows are empty', `|${'a|'.repeat(2_000)}\n|${'-|'.repeat(2_000)}\n${'x\n'.repeat(5_000)}`],
  ['quotes within quotes', `${'> '.repeat(1_000)}x`],
  ['lists within lists on one line', `${'- '.repeat(1_000)}x`],
  ['lists within lists', Array.from({ length: 200 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n')],
  ['attributes', `<Card ${megabyte('a="b" ')}/>`],
])('a page full of %s is rejected before it is parsed', (_, page) => {
  expect(findExcess(page)).not.toBeNull()
})

test('a long page of ordinary prose, lists, tables and code is within the cost limits', () => {
  const section = `## Heading\n\n${'Some words of **prose** with a [link](x.md). '.repeat(6)}\n\n- one\n- two\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n\`\`\`js\nconst a = [1, 2]\n\`\`\`\n\n`
  expect(findExcess(section.repeat(200))).toBeNull()
  expect(findExcess(`${'-'.repeat(500)}\n\n${'* '.repeat(3)}\n`)).toBeNull()
})

test('an endless regular expression or loop is stopped, and later work still runs', () => {
  expect(() => runWithinTime(() => /^(a+)+$/.test(`${'a'.repeat(60)}b`), 50)).toThrow(TookTooLong)
  expect(() =>
    runWithinTime(() => {
      for (;;);
    }, 50),
  ).toThrow(TookTooLong)
  expect(runWithinTime(() => runWithinTime(() => 'inner') + ' and outer')).toBe('inner and outer')
  expect(() => runWithinTime(() => JSON.parse('{') as unknown)).toThrow(SyntaxError)
})
