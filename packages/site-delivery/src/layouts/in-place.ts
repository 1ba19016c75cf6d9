import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import pMap from 'p-map'
import { isPage } from '@docket/site-bundle/locator/page-address'
import { assertSafePaths, countBytes, planDelivery } from '#delivered-paths.ts'
import {
  type DeliveredFile,
  DeliveryFailed,
  type DeliveryPlan,
  type DeliveryTarget,
  type DeliveryWatch,
  type SiteContent,
} from '#delivery-target.ts'
import { readBack, settleContent } from '#read-back.ts'
import { type Folders, createSiteTree } from './site-tree.ts'

/** A place of files that knows no links, such as a bucket. Paths are relative to it. */
export type PlainFiles = Folders & {
  /** Writes a file, or replaces one, in one step for readers. A draft of it begins with `draftStart`. */
  write(file: DeliveredFile, open: () => Promise<Readable>): Promise<void>
  /** Null for a missing file. */
  read(path: string): Promise<Readable | null>
  /** Includes files that Docket did not write. */
  list(): AsyncIterable<string>
  close(): Promise<void>
}

/** Folder of Docket's own files, which readers don't get. */
export const ownFolder = '.docket'
const draftPrefix = 'draft-'
/** Paths of incomplete files begin with this. */
export const draftStart = `${ownFolder}/${draftPrefix}`
const stateFile = `${ownFolder}/delivery.json`
const progressFile = `${ownFolder}/progress.json`
/** Files between two notes of the progress. */
const chunkFiles = 64

/** Files that Docket wrote or was about to write at the target. Files of others are not listed and never removed. */
type State = {
  version: 1
  sum: string | null
  /** SHA-256 by path. Null when an interrupted delivery may have replaced the file, or when it is about to go. */
  files: Record<string, string | null>
  /** Delivery that began and did not end. */
  next: { sum: string; files: Record<string, string> } | null
}

/** Writes files, then pages, and removes after `graceMs`: pages find their files, but readers see more than one step. */
export const createInPlaceTarget = (files: PlainFiles, graceMs: number): DeliveryTarget => {
  const readJson = async (path: string): Promise<unknown> => {
    const content = await files.read(path)
    return content === null ? null : parseJson(await text(content))
  }
  const writeText = (path: string, content: string) => {
    const sha256 = createHash('sha256').update(content).digest('hex')
    const file = { path, sizeBytes: Buffer.byteLength(content), sha256, type: 'application/json' }
    return files.write(file, async () => Readable.from([Buffer.from(content)]))
  }
  const readState = async (): Promise<State | null> => {
    const state = (await readJson(stateFile)) as State | null
    // Others may also write to the target.
    const isKnown = state?.version === 1 && typeof (state.sum ?? '') === 'string' && isObject(state.files)
    if (state !== null && !(isKnown && (state.next === null || isObject(state.next?.files))))
      throw new DeliveryFailed(`The target has a file “${stateFile}” that this version of Docket cannot read.`)
    return state
  }
  const writeState = (state: State) => writeText(stateFile, JSON.stringify(state))

  const compare = async (site: SiteContent) => {
    assertSafePaths(site.files)
    const state = await readState()
    const isResumed = state?.next?.sum === site.sum
    const base = state === null ? await findForeignFiles(files, site) : settleFiles(state, isResumed)
    const plan = planDelivery(base.sum, new Map(Object.entries(base.files)), site.files)
    return { base, isResumed, plan }
  }

  const send = async (
    groups: readonly (readonly DeliveredFile[])[],
    site: SiteContent,
    skip: number,
    { onProgress, signal }: DeliveryWatch,
  ) => {
    const total = countBytes(groups.flat())
    let [done, count] = [0, 0]
    onProgress('sending', 0, total)
    for (const group of groups)
      for (let at = 0; at < group.length; at += chunkFiles) {
        signal.throwIfAborted()
        const chunk = group.slice(at, at + chunkFiles)
        count += chunk.length
        const sendOne = async (file: DeliveredFile) => {
          if (count > skip) await files.write(file, () => site.open(file.path))
          done += file.sizeBytes
          onProgress('sending', done, total)
        }
        await pMap(chunk, sendOne, { concurrency: files.concurrency })
        if (count > skip) await writeText(progressFile, JSON.stringify({ sum: site.sum, count }))
      }
  }

  const check = (some: readonly DeliveredFile[], watch: DeliveryWatch) =>
    readBack(some, files.read, watch, files.concurrency)

  const removeOld = async ({ removed }: DeliveryPlan, { onProgress, signal }: DeliveryWatch) => {
    if (removed.length === 0) return
    onProgress('waiting', 0, Math.ceil(graceMs / 1000))
    // Readers who opened a page earlier may still load its files.
    await sleep(graceMs, undefined, { signal })
    for (const [index, path] of removed.entries()) {
      signal.throwIfAborted()
      onProgress('removing', index, removed.length)
      await files.remove(path)
    }
  }

  // Other files may belong to others.
  const tree = createSiteTree(files, '', ({ name, isFolder }) => name.startsWith('.docket-') && !isFolder)
  const tidy = async (site: SiteContent) => {
    for (const { name } of await files.listFolder(ownFolder))
      if (name.startsWith(draftPrefix)) await files.remove(`${ownFolder}/${name}`)
    await files.setRights(ownFolder, true)
    await tree.tidy(site)
  }

  return {
    check: async () => {
      const path = `${ownFolder}/check-${randomUUID()}`
      await readState()
      try {
        await writeText(path, path)
        const content = await files.read(path)
        if (content === null || (await text(content)) !== path)
          throw new DeliveryFailed('The target returned other bytes than were written.')
      } finally {
        await files.remove(path).catch(() => {})
      }
    },
    plan: async (site) => (await compare(site)).plan,
    deliver: async (site, watch) => {
      watch.onProgress('comparing', 0, null)
      const { base, isResumed, plan } = await compare(site)
      const next = Object.fromEntries(site.files.map(({ path, sha256 }) => [path, sha256]))
      if (!isResumed) {
        await writeText(progressFile, JSON.stringify({ sum: site.sum, count: 0 }))
        await writeState({ version: 1, ...base, next: { sum: site.sum, files: next } })
      }
      const progress = isResumed ? ((await readJson(progressFile)) as { sum?: string; count?: number } | null) : null
      const skip = progress?.sum === site.sum ? (progress.count ?? 0) : 0
      const wanted = new Set([...plan.added, ...plan.changed])
      const some = site.files.filter(({ path }) => wanted.has(path))
      await send(orderForWriting(some, new Set(plan.added)), site, skip, watch)
      await settleContent(
        site.files,
        (some) => check(some, watch),
        (again) => send(orderForWriting(again, new Set()), site, 0, watch),
      )
      watch.signal.throwIfAborted()
      await tidy(site)
      const leaving = Object.fromEntries(plan.removed.map((path) => [path, null]))
      await writeState({ version: 1, sum: site.sum, files: { ...next, ...leaving }, next: null })
      await removeOld(plan, watch)
      if (plan.removed.length > 0) await writeState({ version: 1, sum: site.sum, files: next, next: null })
      await files.remove(progressFile)
      return plan
    },
    verify: async (site, watch) => {
      const state = await readState()
      if (state?.sum !== site.sum || state.next !== null)
        throw new DeliveryFailed('The target has another bundle now, or a delivery did not end.')
      const found = await check(site.files, watch)
      const extra = await tree.listExtra(site)
      return { ...found, ...(extra.length > 0 && { extra }) }
    },
    close: () => files.close(),
  }
}

const parseJson = (content: string): unknown => {
  try {
    return JSON.parse(content) as unknown
  } catch {
    return {}
  }
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null

/** New files before changed ones, and pages after everything else. */
const orderForWriting = (some: readonly DeliveredFile[], added: ReadonlySet<string>): DeliveredFile[][] =>
  [false, true].flatMap((page) =>
    [true, false].map((isNew) => some.filter((file) => isPage(file) === page && added.has(file.path) === isNew)),
  )

/** After an unfinished delivery, it is unknown which files it replaced. */
const settleFiles = ({ sum, files, next }: State, isResumed: boolean): Pick<State, 'sum' | 'files'> => {
  if (next === null || isResumed) return { sum, files }
  const uncertain = Object.entries(next.files).filter(([path, sha256]) => files[path] !== sha256)
  return { sum: null, files: { ...files, ...Object.fromEntries(uncertain.map(([path]) => [path, null])) } }
}

const findForeignFiles = async (files: PlainFiles, site: SiteContent): Promise<Pick<State, 'sum' | 'files'>> => {
  const names = new Set(site.files.map(({ path }) => path))
  const found: Record<string, null> = {}
  for await (const path of files.list()) if (names.has(path)) found[path] = null
  return { sum: null, files: found }
}
