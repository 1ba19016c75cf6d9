import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { DeliveryFailed, type DeliveryTarget, type DeliveryWatch, type SiteContent } from '#delivery-target.ts'
import { placeSite } from '#mounted-site.ts'
import { builtSite, testSite } from './test-site.ts'

/** A target of a test, as readers and other users see it. Paths are those of readers. */
export type OpenedTarget = {
  target: DeliveryTarget
  /** Null for a missing file. */
  read(path: string): Promise<string | null>
  /** Writes a file as another user; null removes it. */
  meddle(path: string, content: string | null): Promise<void>
  /** Every bundle has a folder of its own, so files of others are not among its files. */
  ownsFolder: boolean
}

/** Ignores the progress. */
export const unwatched = (signal = new AbortController().signal): DeliveryWatch => ({ onProgress: () => {}, signal })

const expectSite = async (read: OpenedTarget['read'], site: SiteContent) => {
  for (const { path } of site.files) expect([path, await read(path)]).toEqual([path, await text(await site.open(path))])
}

/** What every kind of target does. `short`: without what its layout does at another kind, and the proof `deliveries` at every kind. */
export const targetContract = (kind: string, open: () => Promise<OpenedTarget>, extent: 'whole' | 'short'): void => {
  test(`${kind}: a delivery changes exactly what its dry run listed, and can be rolled back`, async () => {
    const { target, read, meddle, ownsFolder } = await open()
    const [old, next] = [builtSite('one'), builtSite('two', 3)]
    const { signal } = new AbortController()
    if (!ownsFolder) await meddle('CNAME', 'docs.example.com')
    const first = await target.plan(old, signal)
    expect([first.from, first.changed, first.removed]).toEqual([null, [], []])
    expect(first.added).toHaveLength(old.files.length)
    await target.deliver(old, unwatched())
    await expectSite(read, old)

    const plan = await target.plan(next, signal)
    expect(plan).toMatchObject({
      from: old.sum,
      added: ['app-two.js'],
      removed: ['app-one.js', 'guide/page-3/index.html'],
    })
    expect(plan.changed).toHaveLength(5)
    expect(await target.deliver(next, unwatched())).toEqual(plan)
    await expectSite(read, next)
    expect(await read('app-one.js')).toBeNull()
    expect(await read('guide/page-3/index.html')).toBeNull()
    expect(await target.plan(next, signal)).toEqual({ from: next.sum, added: [], changed: [], removed: [], bytes: 0 })
    expect(await target.verify(next, unwatched())).toEqual({ missing: [], changed: [] })

    await target.deliver(old, unwatched())
    await expectSite(read, old)
    if (!ownsFolder) expect(await read('CNAME')).toBe('docs.example.com')
    await expect(target.verify(next, unwatched())).rejects.toThrow('another bundle')
  })

  test(`${kind}: a check leaves nothing behind`, async () => {
    const { target } = await open()
    await target.check(new AbortController().signal)
    const site = builtSite('one')
    expect(await target.plan(site, new AbortController().signal)).toMatchObject({
      from: null,
      changed: [],
      removed: [],
    })
  })

  test(`${kind}: a delivery record that lists files of others is refused, and nothing is changed`, async () => {
    const { target, read, meddle, ownsFolder } = await open()
    const [site, next] = [builtSite('one'), builtSite('two')]
    await target.deliver(site, unwatched())
    const place = ownsFolder ? `../releases/${site.sum}.json` : '.docket/delivery.json'
    const list = JSON.parse((await read(place))!) as { files?: Record<string, string> }
    for (const name of ['../x', 'a/../../x', '/etc/passwd', '', 'a\nM 100644 inline b', '.git/hooks/x', '.docket/x']) {
      const planted = structuredClone(list)
      Object.assign(ownsFolder ? planted : planted.files!, { [name]: site.sum })
      await meddle(place, JSON.stringify(planted))
      const refusal = 'which Docket never delivers'
      await expect(target.plan(next, new AbortController().signal)).rejects.toThrow(refusal)
      await expect(target.deliver(next, unwatched())).rejects.toThrow(refusal)
      await expectSite(read, site)
      expect(await read('app-two.js')).toBeNull()
    }
    if (ownsFolder) return
    for (const broken of [{ files: null }, { files: [] }, { sum: 1 }, { next: { sum: 'x' } }]) {
      await meddle(place, JSON.stringify({ ...list, ...broken }))
      await target.deliver(next, unwatched()).catch((error: unknown) => expect(error).toBeInstanceOf(DeliveryFailed))
    }
  })

  test(`${kind}: a site in a folder of the target is whole there, a page leads to it, and the same bundle can move`, async () => {
    const { target, read } = await open()
    const plain = { 'index.html': 'home', '404.html': 'none', '_docket/site.css': 'style', 'robots.txt': 'all' }
    const site = testSite({ ...plain, CNAME: 'docs.example.com' })
    const below = placeSite(site, 'my proj/')
    await target.deliver(below, unwatched())
    await expectSite(read, below)
    expect(await read('index.html')).toContain('url=my%20proj/')
    for (const [path, content] of Object.entries(plain)) expect(await read(`my proj/${path}`)).toBe(content)
    // Hosts look for these at their root.
    expect([await read('404.html'), await read('robots.txt')]).toEqual(['none', 'all'])
    expect([await read('CNAME'), await read('my proj/CNAME')]).toEqual(['docs.example.com', null])
    expect(await target.verify(below, unwatched())).toEqual({ missing: [], changed: [] })
    await target.deliver(site, unwatched())
    await expectSite(read, site)
    expect(await read('my proj/index.html')).toBeNull()
    expect(await target.verify(site, unwatched())).toEqual({ missing: [], changed: [] })
  })

  if (extent === 'short') return

  test(`${kind}: a verification names files that others changed, and another delivery restores them`, async () => {
    const { target, read, meddle } = await open()
    const site = builtSite('one')
    await target.deliver(site, unwatched())
    await meddle('index.html', 'defaced')
    await meddle('style.css', null)
    expect(await target.verify(site, unwatched())).toEqual({ missing: ['style.css'], changed: ['index.html'] })
    await target.deliver(site, unwatched())
    await expectSite(read, site)
  })

  test(`${kind}: an aborted delivery leaves only complete pages, and a later one completes it, even with another bundle`, async () => {
    const { target, read } = await open()
    const [old, next, last] = [builtSite('one'), builtSite('two'), builtSite('three')]
    await target.deliver(old, unwatched())
    const stop = new AbortController()
    const onProgress: DeliveryWatch['onProgress'] = (phase, done) => {
      if (phase === 'sending' && done > 0) stop.abort(new Error('stopped'))
    }
    await expect(target.deliver(next, { onProgress, signal: stop.signal })).rejects.toThrow()
    const seen = await read('index.html')
    const build = seen?.includes('app-two.js') === true ? 'two' : 'one'
    expect(await read(`app-${build}.js`)).toBe(`console.log('${build}')`)
    await target.deliver(last, unwatched())
    await expectSite(read, last)
    for (const gone of ['app-one.js', 'app-two.js']) expect(await read(gone)).toBeNull()
    await target.deliver(next, unwatched())
    await expectSite(read, next)
  })

  test(`${kind}: names that lead out of the target are refused before anything is written`, async () => {
    const { target, read } = await open()
    for (const name of [
      '../evil.html',
      '/evil.html',
      'a/../../evil.html',
      'a//b',
      '.git/config',
      'a\\b',
      'a\nb',
      '.docket/x',
    ]) {
      const site = testSite({ 'index.html': 'home', [name]: 'evil' })
      await expect(target.deliver(site, unwatched())).rejects.toBeInstanceOf(DeliveryFailed)
    }
    await expect(target.deliver(testSite({ a: 'file', 'a/b': 'in it' }), unwatched())).rejects.toThrow(
      'a file and a folder',
    )
    expect(await read('index.html')).toBeNull()
  })
}
