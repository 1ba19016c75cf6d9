import { expect, test } from 'vitest'
import { createLog } from '#ground/log/log.ts'
import { findNextLevel, type ReadSpace, watchDisks } from './watch-disks.ts'

const gibibyte = 1024 ** 3

test('a volume is low below a tenth and critical below a twentieth (large ones: 20 and 10 GiB), and does not flap', () => {
  const play = (totalBytes: number, free: number[]) => {
    let level: ReturnType<typeof findNextLevel> = 'fine'
    return free.map((freeBytes) => (level = findNextLevel(level, { freeBytes, totalBytes })))
  }
  expect(play(100, [11, 9, 11, 12, 4, 5.5, 6, 4, 13])).toEqual([
    'fine',
    'low',
    'low',
    'fine',
    'critical',
    'critical',
    'low',
    'critical',
    'fine',
  ])
  const large = [400, 21, 19, 9, 11, 13, 25].map((free) => free * gibibyte)
  expect(play(4_000 * gibibyte, large)).toEqual(['fine', 'fine', 'low', 'critical', 'critical', 'low', 'fine'])
})

const watch = (spaces: Record<string, Awaited<ReturnType<ReadSpace>> | 'hangs'>) => {
  const lines: string[] = []
  let now = 0
  const disks = watchDisks({
    folders: [
      { volume: 'data', folder: '/data' },
      { volume: 'artifacts', folder: '/artifacts' },
      { volume: 'temporary', folder: '/tmp' },
    ],
    log: createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } }),
    now: () => now,
    read: (folder) => {
      const space = spaces[folder]!
      return space === 'hangs' ? new Promise<never>(() => {}) : Promise.resolve(space)
    },
  })
  const levels = () => disks.list().map(({ volume, level }) => `${volume} ${level}`)
  return { disks, spaces, lines, levels, pass: (ms: number) => void (now += ms) }
}
const space = (freeBytes: number, device: number) => ({ freeBytes, totalBytes: 1_000, device })

test('each level of a volume is logged once, folders on the same volume count once, and freed space is detected', async () => {
  const here = watch({ '/data': space(500, 1), '/artifacts': space(80, 2), '/tmp': space(500, 1) })
  await here.disks.look()
  await here.disks.look()
  expect(here.levels()).toEqual(['data fine', 'artifacts low'])
  expect(here.disks.hasRoom('data', 'artifacts')).toBe(true)
  here.spaces['/artifacts'] = space(40, 2)
  await here.disks.look()
  await here.disks.look()
  expect([here.disks.hasRoom('data'), here.disks.hasRoom('data', 'artifacts')]).toEqual([true, false])
  here.spaces['/artifacts'] = space(400, 2)
  await here.disks.look()
  expect(here.disks.hasRoom('artifacts')).toBe(true)
  expect(here.lines.map((line) => (JSON.parse(line) as { msg: string }).msg.slice(0, 30))).toEqual([
    'the disk is filling up; free s',
    'the disk is nearly full, so Do',
    'there is room on the disk agai',
  ])
  expect(here.lines[0]).toContain('"volume":"artifacts","folder":"/artifacts","freeBytes":80,"totalBytes":1000')
})

test('a volume that hangs or has no size is ignored and blocks no work', async () => {
  const here = watch({
    '/data': space(10, 1),
    '/artifacts': { freeBytes: 0, totalBytes: 0, device: 2 },
    '/tmp': space(90, 3),
  })
  await here.disks.look()
  expect(here.levels()).toEqual(['data critical', 'temporary low'])
  here.spaces['/data'] = 'hangs'
  void here.disks.look()
  here.pass(6 * 60_000)
  expect(here.levels()).toEqual([])
  expect(here.disks.hasRoom('data', 'artifacts', 'temporary')).toBe(true)
})

test('the real file system is read, even for a folder that does not exist yet', async () => {
  const folders = [{ volume: 'data' as const, folder: '/tmp/no/such/folder' }]
  const disks = watchDisks({
    folders,
    log: createLog({ level: 'silent', destination: { write: () => {} } }),
    now: Date.now,
  })
  await disks.look()
  const [found] = disks.list()
  expect(found!.freeBytes).toBeGreaterThan(0)
  expect(found!.totalBytes).toBeGreaterThanOrEqual(found!.freeBytes)
})
