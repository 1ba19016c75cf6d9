import { expect, test } from 'vitest'
import { splitCommandLine } from './command.ts'

test('a command is split at blanks, and quotes keep words together', () => {
  expect(splitCommandLine(' /bin/agent  --say "two words" \'a "b" $c\' x"y z"w "" ')).toEqual([
    '/bin/agent',
    '--say',
    'two words',
    'a "b" $c',
    'xy zw',
    '',
  ])
})

test('a quote that is not closed, and no command at all, are refused with a sentence', () => {
  expect(() => splitCommandLine('agent "half')).toThrow('a quote that is not closed')
  expect(() => splitCommandLine('  ')).toThrow('is empty')
})
