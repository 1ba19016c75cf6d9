import { storedBundles } from '#bundles/artifacts/artifacts.table.ts'
import { artifactKit, sumText } from '#testing/artifact-kit.ts'
import { expect, onTestFinished, test } from 'vitest'
import { readPicture } from './pictures.ts'
import type { TakePicture } from './take-picture.ts'

const kit = async (takePicture: TakePicture, now?: () => number) => {
  const made = await artifactKit({ takePicture, ...(now && { now }) })
  onTestFinished(made.close)
  /** Takes the pictures that are missing. */
  const takeAll = async () => {
    made.requested.length = 0
    await made.ground.tick()
    const sums = made.requested.filter((key) => /^[\da-f]{64}$/.test(key))
    for (const sha256 of sums) await made.ground.runRecord('docket-pictures', sha256)
    return sums
  }
  return {
    ...made,
    takeAll,
    countPictures: async () => (await made.files()).filter((name) => name.endsWith('.png')).length,
  }
}

test('a picture is taken once for each stored bundle, kept beside it, and deleted with it', async () => {
  const here = await kit(async () => Buffer.from('a picture'))
  const exportId = await here.completeAndStore('[]a')
  expect((await here.read(exportId)).hasPicture).toBe(false)
  await expect(readPicture(here.ctx, exportId)).rejects.toThrow('no picture')
  const before = await here.revision(exportId)
  expect(await here.takeAll()).toEqual([sumText('[]a')])
  expect((await here.read(exportId)).hasPicture).toBe(true)
  expect(await here.revision(exportId)).not.toBe(before)
  expect(Buffer.from(await readPicture(here.ctx, exportId)).toString()).toBe('a picture')
  expect(await here.takeAll()).toEqual([])

  await here.deleteCopy(exportId, { kind: 'person', id: null, name: 'Zoë', address: null, requestId: null })
  await expect(readPicture(here.ctx, exportId)).rejects.toThrow('deleted')
  await here.db.update(storedBundles).set({ releasedAt: new Date(0) })
  await here.sweep()
  expect(await here.files()).toEqual([])
})

test('a page of which no picture can be taken is not tried again', async () => {
  const here = await kit((site) =>
    site === null ? Promise.resolve(Buffer.from('')) : Promise.reject(new Error('No.')),
  )
  const exportId = await here.completeAndStore('[]a')
  expect(await here.takeAll()).toHaveLength(1)
  expect((await here.read(exportId)).hasPicture).toBe(false)
  expect(await here.takeAll()).toEqual([])
})

test('a bundle that is deleted while its picture is taken leaves no picture', async () => {
  const here = await kit(async (site) => {
    if (site !== null) await here.db.update(storedBundles).set({ state: 'deleting' })
    return Buffer.from('a picture')
  })
  await here.completeAndStore('[]a')
  await here.takeAll()
  expect(await here.countPictures()).toBe(0)
})

test('a stop of Docket leaves the picture for the next start', async () => {
  const stop = new AbortController()
  const here = await kit(async (site) => {
    if (site === null) return Buffer.from('')
    stop.abort(new Error('Docket stops.'))
    throw new Error('No.')
  })
  await here.completeAndStore('[]a')
  const run = here.ground.runRecord('docket-pictures', sumText('[]a'), stop.signal)
  await expect(run).rejects.toThrow('Docket stops.')
  expect(await here.takeAll()).toHaveLength(1)
})

test('where the browser does not work, the log says so once and nothing is tried for ten minutes', async () => {
  let [now, tries, isBroken] = [Date.now(), 0, true]
  const take = async () => {
    tries += 1
    if (isBroken) throw new Error('bubblewrap is not installed')
    return Buffer.from('a picture')
  }
  const here = await kit(take, () => now)
  const exportId = await here.completeAndStore('[]a')
  for (let n = 0; n < 3; n += 1) expect(await here.takeAll()).toEqual([])
  // Another replica, whose browser works, asked for it.
  const run = here.ground.runRecord('docket-pictures', sumText('[]a'))
  await expect(run).rejects.toThrow('takes no pictures here')
  expect(tries).toBe(1)
  now += 10 * 60_000
  expect(await here.takeAll()).toEqual([])
  expect(tries).toBe(2)
  const told = here.lines.filter((line) => line.includes('PICTURE_BROWSER takes no pictures'))
  expect(told).toHaveLength(1)
  expect(told[0]).toContain('bubblewrap is not installed')

  isBroken = false
  now += 10 * 60_000
  expect(await here.takeAll()).toHaveLength(1)
  expect((await here.read(exportId)).hasPicture).toBe(true)
})

test('a page that fails together with the browser is tried again', async () => {
  let [now, isBroken] = [Date.now(), false]
  const take: TakePicture = async (site) => {
    if (site !== null && now === startedAt) isBroken = true
    if (isBroken) throw new Error('no space left on device')
    return Buffer.from('a picture')
  }
  const startedAt = now
  const here = await kit(take, () => now)
  const exportId = await here.completeAndStore('[]a')
  await expect(here.takeAll()).rejects.toThrow('no space left')
  expect(await here.takeAll()).toEqual([])
  isBroken = false
  now += 10 * 60_000
  expect(await here.takeAll()).toHaveLength(1)
  expect((await here.read(exportId)).hasPicture).toBe(true)
})
