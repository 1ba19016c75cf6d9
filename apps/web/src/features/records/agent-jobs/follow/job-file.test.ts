import { expect, test } from 'vitest'
import { readJobFile } from './job-file.ts'

const read = (content: BlobPart, name = 'jobs.csv') => readJobFile(new File([content], name))
const rows = (count: number) => Array.from({ length: count }, (_, index) => `docs job_${index}`).join('\n')

test('a job file becomes lines for the form, and unreadable lines are listed with their reasons', async () => {
  expect(await read('\ufeffproject;id\ndocs;job_1\n;job_2\n;')).toEqual({
    text: 'docs job_1\njob_2',
    jobs: 2,
    unreadable: [{ kind: 'unreadable', text: ';', problem: 'The job ID is empty.' }],
    problem: null,
  })
  expect(await read(rows(50))).toMatchObject({ jobs: 50, problem: null })
})

test.each([
  ['too many jobs', rows(51), '51 jobs'],
  [
    'too many lines',
    'what is this\nand that\n'.repeat(101).replaceAll(/\n/gu, () => ` ${Math.random()}\n`),
    '200 lines',
  ],
  ['nothing', ' \n ', 'empty'],
  ['an image', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255]), 'not a text file'],
  ['a zero byte', 'docs job_1\n\0', 'not a text file'],
  ['a megabyte', 'x'.repeat(1_000_000), '200 kB'],
])('a file with %s is refused with a reason, and none of its lines are used', async (_, content, reason) => {
  const { text, problem } = await read(content)
  expect(text).toBe('')
  expect(problem).toContain('jobs.csv')
  expect(problem).toContain(reason)
})
