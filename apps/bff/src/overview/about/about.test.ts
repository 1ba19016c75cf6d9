import { About } from '@docket/api-types/about'
import { expect, onTestFinished, test } from 'vitest'
import { signedIn } from '#testing/people.ts'
import { testApp } from '#testing/test-app.ts'
import { recordVersion } from '#overview/about/about.ts'

const hour = 3_600_000
const firstDay = Date.parse('2026-05-01T10:00:00.000Z')
const current = '0.0.0-test'

const openApp = async () => {
  let time = firstDay
  const app = await testApp({ now: () => time, as: 'nobody' })
  onTestFinished(app.close)
  const enter = async (role: 'admin' | 'viewer') => {
    const { cookie, userId } = await signedIn(app.db, role, { now: time })
    await app.db.$client.query('update users set created_at = $1 where id = $2', [new Date(time), userId])
    return {
      read: async () => About.parse(await (await app.get('/api/about', { cookie })).json()),
      noteRead: async () => (await app.post('/api/account/read-news', undefined, { cookie })).status,
    }
  }
  return {
    app,
    enter,
    advance: (ms: number) => (time += ms),
    start: (version: string) => recordVersion(app.db, version, time),
  }
}

test('a new installation reports its version and build, and no upgrade', async () => {
  const { enter, start, advance } = await openApp()
  await start(current)
  advance(1_000)
  const { read } = await enter('viewer')
  expect(await read()).toEqual({
    version: current,
    build: expect.stringMatching(/^[0-9a-f]{12}$/),
    upgradedAt: null,
    lastRead: null,
    host: null,
  })
})

test('after an upgrade, each existing person gets a notice until they have read what is new; new people get none', async () => {
  const { enter, start, advance } = await openApp()
  await start('0.8.0')
  advance(hour)
  const [grace, ada] = [await enter('viewer'), await enter('viewer')]
  advance(hour)
  await start('0.9.0')
  advance(hour)
  expect(await ada.noteRead()).toBe(204)
  advance(hour)
  await start(current)
  const upgradedAt = new Date(firstDay + 4 * hour).toISOString()
  expect(await grace.read()).toMatchObject({ upgradedAt, lastRead: '0.8.0' })
  expect(await ada.read()).toMatchObject({ upgradedAt, lastRead: '0.9.0' })
  advance(hour)
  await start(current)
  expect(await (await enter('viewer')).read()).toMatchObject({ upgradedAt, lastRead: null })
  expect(await grace.noteRead()).toBe(204)
  expect(await grace.read()).toMatchObject({ upgradedAt, lastRead: null })
})

test('only admins see the versions that the machine runs', async () => {
  const { app, enter } = await openApp()
  const { host } = await (await enter('admin')).read()
  expect(host).toEqual({
    startedAt: new Date(firstDay).toISOString(),
    node: process.versions.node,
    postgres: expect.stringMatching(/^\d+\.\d+$/),
    platform: `${process.platform}-${process.arch}`,
  })
  expect((await (await enter('viewer')).read()).host).toBeNull()
  expect((await app.get('/api/about')).status).toBe(401)
})
