import { chmod, lstat, mkdir, readdir, readFile, realpath, rename, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DeliveryFailed } from '#delivery-target.ts'
import { type OpenedTarget, unwatched } from './target-contract.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { builtSite } from './test-site.ts'

/** A target in a folder of this machine. */
export type OpenedFiles = OpenedTarget & {
  /** The target's own folder. */
  root: string
  /** What a web server serves: `root`, or a link in it. */
  served: string
}

const readMode = async (path: string) => (await lstat(path)).mode & 0o7777

/** Paths in a folder, links not followed. */
const listPaths = async (folder: string) => (await readdir(folder, { recursive: true })).toSorted()

/** The kinds and modes of what readers get: `file 644`. */
const listModes = async (served: string): Promise<string[]> => {
  const folder = await realpath(served)
  const found = new Set<string>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (relative(folder, path).startsWith('.docket')) continue
    found.add(`${entry.isDirectory() ? 'folder' : 'file'} ${(await readMode(path)).toString(8)}`)
  }
  return [...found].toSorted()
}

/** What every kind does that writes into folders. `open` gets the umask of the other side, and the mode of `root`, which is 0755 otherwise. */
export const fileContract = (kind: string, open: (umask: number, mode?: number) => Promise<OpenedFiles>): void => {
  for (const umask of [0o077, 0o000]) {
    const openMasked = (mode?: number) => {
      const before = process.umask(umask)
      onTestFinished(() => void process.umask(before))
      return open(umask, mode)
    }
    const masked = `with the umask ${umask.toString(8).padStart(3, '0')}`

    test(`${kind}: ${masked}, other users can read delivered files, and a delivery repairs the modes of existing ones`, async () => {
      const { target, root, served, ownsFolder } = await openMasked()
      await target.deliver(builtSite('one'), unwatched())
      expect(await listModes(served)).toEqual(['file 644', 'folder 755'])
      for (const build of ['one', 'two']) {
        for (const path of ['logo.png', 'style.css']) await chmod(join(served, path), 0o600)
        await chmod(join(served, 'index.html'), 0o666)
        await chmod(join(served, 'guide'), 0o700)
        const listOwn = async () => (ownsFolder ? [join(root, 'releases'), await realpath(served)] : [])
        for (const folder of await listOwn()) await chmod(folder, 0o700)
        await target.deliver(builtSite(build), unwatched())
        expect(await listModes(served)).toEqual(['file 644', 'folder 755'])
        for (const folder of await listOwn()) expect(await readMode(folder)).toBe(0o755)
      }
      if (ownsFolder) return
      for (const [path, mode] of Object.entries({ '.docket': 0o700, '.docket/delivery.json': 0o600 }))
        expect(await readMode(join(root, path))).toBe(mode)
    })

    test(`${kind}: ${masked}, delivered files have the permissions of the target folder`, async () => {
      const modes: [number, string, string][] = [
        [0o2775, 'file 664', 'folder 2775'],
        [0o777, 'file 664', 'folder 775'],
        [0o750, 'file 640', 'folder 750'],
        [0o711, 'file 644', 'folder 711'],
        // Nobody else gets into this one.
        [0o700, 'file 644', 'folder 755'],
      ]
      for (const [mode, file, folder] of modes) {
        const { target, served } = await openMasked(mode)
        await target.deliver(builtSite('one'), unwatched())
        expect(await listModes(served)).toEqual([file, folder].toSorted())
      }
    })
  }

  test(`${kind}: a verification names files that no delivery wrote, and the next delivery removes Docket’s leftovers`, async () => {
    const { target, root, served, ownsFolder } = await open(0o022)
    const site = builtSite('one')
    // Leftovers of killed deliveries.
    const left = ownsFolder
      ? [`releases/.docket-partial-${site.sum}/guide/.docket-0a1b`, 'releases/.docket-draft-0a1b', '.docket-link']
      : ['.docket/draft-0a1b']
    for (const path of left) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), 'half of a fi')
    }
    await target.deliver(site, unwatched())
    expect((await listPaths(root)).filter((path) => /\.docket(-|\/draft)/.test(path))).toEqual([])
    await mkdir(join(served, 'notes'))
    const [drafts, others] = [
      ['.docket-0a1b', 'guide/page-1/.docket-0a1b'],
      ['guide/CNAME', 'notes/mine'],
    ]
    for (const path of [...drafts, ...others]) await writeFile(join(served, path), 'half of a fi')
    const extra = ownsFolder ? ['.docket-0a1b', 'guide/CNAME', 'guide/page-1/.docket-0a1b', 'notes'] : drafts
    expect(await target.verify(site, unwatched())).toEqual({ missing: [], changed: [], extra })
    await target.deliver(site, unwatched())
    expect(await target.verify(site, unwatched())).toEqual({ missing: [], changed: [] })
    const after = await listPaths(await realpath(served))
    for (const path of drafts) expect(after).not.toContain(path)
    // In place, files of others stay.
    for (const path of others) expect(after.includes(path)).toBe(!ownsFolder)
  })

  test(`${kind}: a link in place of a folder is refused by name, and nothing behind it is read or changed`, async () => {
    const outside = await temporaryFolder()
    for (const folder of ['page-1', 'a'.repeat(64), 'draft-1', '.docket-draft-1']) {
      await mkdir(join(outside, folder))
      await writeFile(join(outside, folder, 'index.html'), 'not Docket’s')
    }
    const before = [await listPaths(outside), await readMode(outside)]
    const site = builtSite('one')
    const delivered = async () => {
      const opened = await open(0o022)
      await opened.target.deliver(site, unwatched())
      return opened
    }
    const expectRefusal = async (name: string, call: Promise<unknown>) => {
      const problem: unknown = await call.catch((error: unknown) => error)
      expect(problem).toBeInstanceOf(DeliveryFailed)
      expect((problem as Error).message).toContain(`“${name}” at the target is a link`)
      expect([await listPaths(outside), await readMode(outside)]).toEqual(before)
      expect(await readFile(join(outside, 'page-1/index.html'), 'utf8')).toBe('not Docket’s')
    }
    const { signal } = new AbortController()

    const fresh = await open(0o022)
    const own = fresh.ownsFolder ? 'releases' : '.docket'
    await symlink(outside, join(fresh.root, own))
    await expectRefusal(own, fresh.target.check(signal))
    await expectRefusal(own, fresh.target.deliver(site, unwatched()))

    const inside = await delivered()
    const guide = join(await realpath(inside.served), 'guide')
    await rename(guide, `${guide}-before`)
    await symlink(outside, guide)
    const name = relative(await realpath(inside.root), guide)
    await expectRefusal(name, inside.target.verify(site, unwatched()))
    await expectRefusal(name, inside.target.deliver(site, unwatched()))

    const later = await delivered()
    await rename(join(later.root, own), join(later.root, 'before'))
    await symlink(outside, join(later.root, own))
    await expectRefusal(own, later.target.verify(site, unwatched()))
    await expectRefusal(own, later.target.deliver(builtSite('two'), unwatched()))
  })
}
