import { expect, test } from 'vitest'
import { splitCommandLine } from './command.ts'

test('a command is split at spaces, and quotes keep words together', () => {
  expect(splitCommandLine(' /bin/agent  --say "two words" \'a "b" $c\' x"y z"w "" ')).toEqual([
    '/bin/agent',
    '--say',
    'two words',
    'a "b" $c',
    'xy zw',
    '',
  ])
})

test('an unclosed quote and an empty command are refused with a readable message', () => {
  expect(() => splitCommandLine('agent "half')).toThrow('a quote that is not closed')
  expect(() => splitCommandLine('  ')).toThrow('is empty')
})
