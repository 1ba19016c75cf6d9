import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { AppEnv } from '#ground/http/app-env.ts'
import { AppError } from '#ground/errors/app-error.ts'
import { limitEachNetwork } from '#ground/http/limits/fair-share.ts'

/** Keeps every request until it is let go. The address is what the test says it is. */
const shared = (most: number) => {
  const waiting: (() => void)[] = []
  const app = new Hono<AppEnv>()
  app.onError((error, c) => c.text('', error instanceof AppError && error.code === 'too_many_requests' ? 429 : 500))
  app.use(async (c, next) => {
    c.set('address', c.req.header('address') ?? '')
    await next()
  })
  app.use(limitEachNetwork(most))
  app.get('/', async (c) => {
    await new Promise<void>((resolve) => waiting.push(resolve))
    return c.text('')
  })
  const from = async (address: string) => (await app.request('/', { headers: { address } })).status
  return { from, waiting, release: () => waiting.splice(0).forEach((go) => go()) }
}

test('one network cannot use more than its share of concurrent requests, so others are still served', async () => {
  const { from, waiting, release } = shared(2)
  const own = ['203.0.113.9', '203.0.113.9', '2001:db8::1', '2001:db8::2', '198.51.100.1'].map(from)
  expect(await from('203.0.113.9')).toBe(429)
  // It has all the addresses of its network.
  expect(await from('2001:db8::3')).toBe(429)
  expect(waiting).toHaveLength(5)
  release()
  expect(await Promise.all(own)).toEqual([200, 200, 200, 200, 200])
  const later = from('203.0.113.9')
  await expect.poll(() => waiting.length).toBe(1)
  release()
  expect(await later).toBe(200)
})

test('requests from this machine are not limited, because a proxy may run on it', async () => {
  const { from, waiting, release } = shared(2)
  const all = Array.from({ length: 9 }, () => from('127.0.0.1'))
  await expect.poll(() => waiting.length).toBe(9)
  release()
  expect(new Set(await Promise.all(all))).toEqual(new Set([200]))
})
