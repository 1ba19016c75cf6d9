import { expect, test } from 'vitest'
import { readStartArguments, readWorkerArguments } from './service-arguments.ts'

test('a worker takes its limits from the settings unless its arguments override them', () => {
  expect(readWorkerArguments([], 'Use')).toEqual({})
  expect(readWorkerArguments(['--exports', '4', '--agents=0'], 'Use')).toEqual({ exports: 4, agents: 0 })
  expect(readStartArguments([], 'Use')).toEqual({ works: true })
  expect(readStartArguments(['--no-workers'], 'Use')).toEqual({ works: false })
})

test.for([
  ['--exports', '0', '--agents', '0'],
  ['--exports', '-1'],
  ['--exports=two'],
  ['--agents'],
  ['4'],
  ['--fast'],
])('starting a worker with %j prints the usage', (args) =>
  expect(() => readWorkerArguments(args, 'Use')).toThrow(/^Use$/),
)
