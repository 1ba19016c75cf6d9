import { expect, test } from 'vitest'
import { readStartArguments, readWorkerArguments } from './service-arguments.ts'

test('a worker takes what the settings say, or what its arguments say', () => {
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
])('a worker that is started with %j gets the usage', (args) =>
  expect(() => readWorkerArguments(args, 'Use')).toThrow(/^Use$/),
)
