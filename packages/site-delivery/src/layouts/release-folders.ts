import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import pMap from 'p-map'
import { assertSafePaths, countBytes, type KnownFiles, planDelivery } from '#delivered-paths.ts'
import {
  type DeliveredFile,
  DeliveryFailed,
  type DeliveryTarget,
  type DeliveryWatch,
  type SiteContent,
} from '#delivery-target.ts'
import { readBack, settleContent } from '#read-back.ts'
import { type Folders, createSiteTree } from './site-tree.ts'

/** Missing parents are created. Rejects with `DeliveryFailed` when a folder on the way is a link. */
export type LinkedFiles = Folders & {
  /** Writes a draft at `draftStart`, and then renames it, so that nobody sees a part of it. Replaces a file. */
  write(path: string, content: Readable): Promise<void>
  /** Null for a missing file. */
  read(path: string): Promise<Readable | null>
  /** Null for anything but a regular file. */
  readSize(path: string): Promise<number | null>
  /** False where the file system cannot give a file a second name. */
  addName(path: string, name: string): Promise<boolean>
  /** Where a link leads to; `other` for a file or folder, null for nothing. */
  readLink(path: string): Promise<{ to: string } | 'other' | null>
  /** Makes a link, or replaces one, in one step for readers. */
  replaceLink(path: string, to: string): Promise<void>
  rename(path: string, name: string): Promise<void>
  /** Removes a file or a folder with everything in it. Follows no link. */
  remove(path: string): Promise<void>
  close(): Promise<void>
}

const releases = 'releases'
const link = 'current'
const orderFile = `${releases}/.docket.json`
const prefix = '.docket-'
/** Paths of incomplete files begin with this. They are not served, and on the same file system as the releases. */
export const draftStart = `${releases}/${prefix}draft-`
export const linkDraft = `${prefix}link`

/** Readers see one bundle or the other: the link `current` moves in one step. `keep`: earlier bundles that stay. */
export const createReleaseFoldersTarget = (files: LinkedFiles, keep: number): DeliveryTarget => {
  const readJson = async (path: string): Promise<unknown> => {
    const content = await files.read(path)
    if (content === null) return null
    try {
      return JSON.parse(await text(content)) as unknown
    } catch {
      // Docket replaces it atomically, so another program wrote it.
      return null
    }
  }
  const writeJson = async (path: string, value: unknown) => files.write(path, toReadable(JSON.stringify(value)))

  const readCurrent = async (): Promise<string | null> => {
    const found = await files.readLink(link)
    if (found === null) return null
    const sum = found === 'other' ? undefined : /^releases\/([0-9a-f]{64})$/.exec(found.to)?.[1]
    if (sum !== undefined) return sum
    throw new DeliveryFailed(
      'The target has a file, folder or link named “current” that Docket did not make. Move it away, or choose another folder.',
    )
  }
  const readList = async (sum: string | null): Promise<KnownFiles> => {
    if (sum === null) return new Map()
    const list = await readJson(`${releases}/${sum}.json`)
    return new Map(typeof list === 'object' && list !== null ? (Object.entries(list) as [string, string][]) : [])
  }
  const compare = async (site: SiteContent) => {
    assertSafePaths(site.files)
    const current = await readCurrent()
    const known = await readList(current)
    return { current, known, plan: planDelivery(current, known, site.files) }
  }

  const send = async (
    some: readonly DeliveredFile[],
    put: (file: DeliveredFile) => Promise<void>,
    { onProgress, signal }: DeliveryWatch,
  ) => {
    const total = countBytes(some)
    let done = 0
    onProgress('sending', 0, total)
    const sendOne = async (file: DeliveredFile) => {
      signal.throwIfAborted()
      await put(file)
      done += file.sizeBytes
      onProgress('sending', done, total)
    }
    await pMap(some, sendOne, { concurrency: files.concurrency })
  }

  /** Writes the files of a site to a folder and reads them back. Continues where an earlier attempt ended. */
  const fill = async (
    site: SiteContent,
    folder: string,
    same: { current: string | null; known: KnownFiles },
    watch: DeliveryWatch,
  ) => {
    const place = (path: string) => `${folder}/${path}`
    const write = async ({ path }: DeliveredFile) => files.write(place(path), await site.open(path))
    const isBegun = (await files.listFolder(folder)).length > 0
    await send(
      site.files,
      async (file) => {
        const { path, sizeBytes, sha256 } = file
        if (isBegun && (await files.readSize(place(path))) === sizeBytes) return
        const { current, known } = same
        const isSame = current !== null && known.get(path) === sha256 && folder !== `${releases}/${current}`
        if (isSame && (await files.addName(`${releases}/${current}/${path}`, place(path)))) return
        await write(file)
      },
      watch,
    )
    await settleContent(
      site.files,
      (some) => readBack(some, (path) => files.read(place(path)), watch, files.concurrency),
      (again) => send(again, write, watch),
    )
  }

  /** Notes a bundle before its folder appears, as the newest. Returns those that Docket delivered here; folders of others are never removed. */
  const noteDelivered = async (sum: string, current: string | null): Promise<string[]> => {
    const found = await readJson(orderFile)
    const known = Array.isArray(found) ? found.filter((one) => typeof one === 'string') : []
    const order = [...new Set([sum, ...known, ...(current === null ? [] : [current])])]
    await writeJson(orderFile, order)
    return order
  }

  const treeOf = (folder: string) => createSiteTree(files, `${folder}/`, () => true)

  const prune = async (order: readonly string[], { onProgress, signal }: DeliveryWatch) => {
    const old = new Set(order.slice(keep + 1))
    const gone = (await files.listFolder(releases)).filter(
      ({ name }) => old.has(name.replace(/\.json$/, '')) || name.startsWith(prefix),
    )
    for (const [index, { name }] of gone.entries()) {
      signal.throwIfAborted()
      onProgress('removing', index, gone.length)
      await files.remove(`${releases}/${name}`)
    }
    await writeJson(orderFile, order.slice(0, keep + 1))
  }

  return {
    check: async () => {
      const [file, linkName] = [`${releases}/${prefix}check-${randomUUID()}`, `${releases}/${prefix}check-link`]
      await readCurrent()
      try {
        await files.write(file, toReadable(file))
        const content = await files.read(file)
        if (content === null || (await text(content)) !== file)
          throw new DeliveryFailed('The target returned other bytes than were written.')
        for (const to of ['one', 'two']) await files.replaceLink(linkName, to)
        const made = await files.readLink(linkName)
        if (typeof made !== 'object' || made?.to !== 'two')
          throw new DeliveryFailed('The target cannot replace a link. Choose delivery in place, or another folder.')
      } finally {
        for (const name of [file, linkName]) await files.remove(name).catch(() => {})
      }
    },
    plan: async (site) => (await compare(site)).plan,
    deliver: async (site, watch) => {
      watch.onProgress('comparing', 0, null)
      const { current, known, plan } = await compare(site)
      const folder = `${releases}/${site.sum}`
      const isThere = (await files.listFolder(releases)).some(({ name }) => name === site.sum)
      const draft = isThere ? folder : `${releases}/${prefix}partial-${site.sum}`
      await fill(site, draft, { current, known }, watch)
      for (const path of [releases, draft]) await files.setRights(path, true)
      await treeOf(draft).tidy(site)
      watch.signal.throwIfAborted()
      await writeJson(`${folder}.json`, Object.fromEntries(site.files.map(({ path, sha256 }) => [path, sha256])))
      const order = await noteDelivered(site.sum, current)
      if (!isThere) await files.rename(draft, folder)
      watch.onProgress('switching', 0, null)
      await files.replaceLink(link, folder)
      await prune(order, watch)
      return plan
    },
    verify: async (site, watch) => {
      if ((await readCurrent()) !== site.sum) throw new DeliveryFailed('The target has another bundle now.')
      const folder = `${releases}/${site.sum}`
      const found = await readBack(site.files, (path) => files.read(`${folder}/${path}`), watch, files.concurrency)
      const extra = await treeOf(folder).listExtra(site)
      return { ...found, ...(extra.length > 0 && { extra }) }
    },
    close: () => files.close(),
  }
}

const toReadable = (content: string): Readable => Readable.from([Buffer.from(content)])
