import { expect, test } from 'vitest'
import { canChangeByItself, formatQueuePlace, isWorkingJob, describeJobState } from './job-state.ts'

test('a completed job whose pull request may still appear counts as changeable but not as working', () => {
  const job = { meaning: 'finishing', status: 'completed' } as const
  expect(describeJobState(job).word).toBe('No pull request yet')
  expect(isWorkingJob(job)).toBe(false)
  expect(canChangeByItself(job)).toBe(true)
})

test('an unfinished job that nobody watches neither works nor changes by itself', () => {
  for (const meaning of ['waiting', 'working', 'unrecognised', 'finishing'] as const) {
    const job = { meaning, status: 'odd', isWatched: false }
    expect([describeJobState(job).word, isWorkingJob(job), canChangeByItself(job)]).toEqual([
      'Not watched',
      false,
      false,
    ])
  }
})

test('a waiting job shows its place in line if the service sends one', () => {
  const place = (queuePosition: number | null, meaning: 'waiting' | 'working' = 'waiting') =>
    formatQueuePlace({ meaning, queuePosition })
  expect([1, 2, 3, 4, 11, 22].map((position) => place(position))).toEqual([
    'next in line',
    '2nd in line',
    '3rd in line',
    '4th in line',
    '11th in line',
    '22nd in line',
  ])
  expect([place(null), place(2, 'working')]).toEqual([null, null])
})
