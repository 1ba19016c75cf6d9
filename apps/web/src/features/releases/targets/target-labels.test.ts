import type { Delivery, Target } from '@docket/api-types/targets'
import { expect, test } from 'vitest'
import {
  describeFiles,
  describeDeliveryNews,
  describePlace,
  describeProgress,
  hasFoundDamage,
  isDeliveryAwaited,
} from './target-labels.ts'

const delivery = (change: Partial<Delivery>): Delivery => ({
  deliveryId: 'd1',
  kind: 'delivery',
  state: 'running',
  sha256: 'aaaa',
  releaseNumber: 3,
  phase: null,
  done: null,
  total: null,
  added: null,
  changed: null,
  removed: null,
  problem: null,
  askedBy: 'Ada',
  askedAt: '2026-11-24T00:00:00.000Z',
  startedAt: null,
  endedAt: null,
  ...change,
})

const target = (change: Partial<Target>): Target => ({
  targetId: 't1',
  name: 'Live',
  settings: { kind: 'folder', path: '/srv/docs', keep: 3, address: null },
  hasSecret: false,
  onRelease: true,
  last: null,
  delivered: null,
  canTakeBack: false,
  createdBy: 'Ada',
  createdAt: '2026-11-24T00:00:00.000Z',
  ...change,
})

test('a target’s location is described in the terms of its kind', () => {
  const s3 = { kind: 's3', address: null, region: 'r', bucket: 'docs', accessKeyId: 'a', graceMinutes: 5 } as const
  expect(describePlace({ ...s3, endpoint: null, prefix: 'handbook' })).toBe('s3://docs/handbook')
  expect(describePlace({ ...s3, endpoint: 'https://s3.example', prefix: '' })).toBe('s3://docs at https://s3.example')
  const git = {
    kind: 'git',
    address: null,
    url: 'https://code.example/docs',
    branch: 'gh-pages',
    user: null,
    hostKey: null,
  } as const
  expect(describePlace({ ...git, folder: '' })).toBe('branch gh-pages of https://code.example/docs')
  expect(describePlace({ ...git, folder: 'v2' })).toBe('folder v2 of branch gh-pages of https://code.example/docs')
  const sftp = {
    kind: 'sftp',
    address: null,
    host: 'web.example',
    user: 'web',
    login: 'password',
    hostKey: 'k',
  } as const
  const layout = { folder: 'public', layout: 'releases', keep: 3, graceMinutes: 5 } as const
  expect(describePlace({ ...sftp, ...layout, port: 22 })).toBe('web@web.example:public')
  expect(describePlace({ ...sftp, ...layout, port: 2222 })).toBe('web@web.example:public, port 2222')
})

test('progress shows a percentage only if the total is known, and an amount in the unit of its phase', () => {
  expect(describeProgress(delivery({ state: 'waiting' }))).toMatchObject({
    percent: null,
    words: 'Waiting for its turn',
  })
  expect(describeProgress(delivery({ phase: 'comparing', done: 40, total: null }))).toMatchObject({
    percent: null,
    amount: '',
  })
  expect(describeProgress(delivery({ phase: 'sending', done: 500_000, total: 2_000_000 }))).toMatchObject({
    percent: 25,
    amount: '500 kB of 2 MB',
  })
  expect(describeProgress(delivery({ phase: 'waiting', done: 60, total: 300 }))).toMatchObject({ amount: '4 min left' })
  expect(describeProgress(delivery({ phase: 'removing', done: 1, total: 3 }))).toMatchObject({
    amount: '1 of 3',
  })
  expect(describeProgress(delivery({ phase: 'sending', done: 0, total: 0 })).percent).toBeNull()
})

test('a verification that found differences is not shown as a success', () => {
  const clean = delivery({ kind: 'verification', state: 'done', added: 0, changed: 0, removed: 0 })
  expect(hasFoundDamage(clean)).toBe(false)
  expect(describeFiles(clean)).toBe('every file is as delivered')
  const damaged = { ...clean, changed: 1, removed: 2 }
  expect(hasFoundDamage(damaged)).toBe(true)
  expect(describeFiles(damaged)).toBe('1 file changed there, 2 missing')
  const extra = { ...clean, added: 2 }
  expect([hasFoundDamage(extra), describeFiles(extra)]).toEqual([true, '2 files not delivered by Docket'])
  expect(hasFoundDamage(delivery({ state: 'done', added: 3, changed: 1, removed: 2 }))).toBe(false)
})

test('targets are polled until a new release’s automatic delivery is requested, but not if deliveries are manual', () => {
  const last = delivery({ state: 'done' })
  expect(isDeliveryAwaited(target({ last }), 'aaaa')).toBe(false)
  expect(isDeliveryAwaited(target({ last }), 'bbbb')).toBe(true)
  expect(isDeliveryAwaited(target({ last, onRelease: false }), 'bbbb')).toBe(false)
  expect(isDeliveryAwaited(target({ last }), null)).toBe(false)
})

test('the end of a delivery is announced once, and its start is not announced', () => {
  const running = target({ last: delivery({}) })
  const done = target({ last: delivery({ state: 'done' }) })
  expect(describeDeliveryNews(undefined, done)).toBeNull()
  expect(describeDeliveryNews(target({}), running)).toBeNull()
  expect(describeDeliveryNews(running, done)).toBe('Live: Delivery of release 3 done')
  expect(describeDeliveryNews(done, done)).toBeNull()
  const damaged = target({ last: delivery({ kind: 'verification', state: 'done', changed: 1 }) })
  expect(describeDeliveryNews(running, damaged)).toBe('Live: 1 file changed there')
  expect(describeDeliveryNews(running, target({ last: delivery({ state: 'failed' }) }))).toBe(
    'Live: The delivery failed',
  )
})
