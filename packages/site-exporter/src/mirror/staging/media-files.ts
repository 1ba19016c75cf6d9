import { mkdir, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { pMapIterable } from 'p-map'
import type { Robots } from '#mirror/finding/robots.ts'
import { isAnswer, type SiteClient } from '#mirror/http/site-client.ts'
import type { MirrorBudget, MirrorLimits } from '#mirror/mirror-limits.ts'
import { decodeAddress } from '#site/data.ts'
import { computeDigest } from './draft.ts'

/** Extensions by media type, for addresses without one. */
const endings: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'image/avif': '.avif',
  'image/svg+xml': '.svg',
  'image/x-icon': '.ico',
  'image/vnd.microsoft.icon': '.ico',
  'image/bmp': '.bmp',
  'video/mp4': '.mp4',
  'video/webm': '.webm',
  'audio/mpeg': '.mp3',
  'application/pdf': '.pdf',
  'application/json': '.json',
  'text/csv': '.csv',
}

type Deps = { client: SiteClient; robots: Robots; limits: MirrorLimits; budget: MirrorBudget; staging: string }

/** File names by address, or `missing`. Omitted files have no entry. */
export type MediaFiles = ReadonlyMap<string, { file: string } | 'missing'>

export const downloadMedia = async (
  urls: Iterable<string>,
  { client, robots, limits, budget, staging }: Deps,
  onFile: () => Promise<void> | void,
): Promise<MediaFiles> => {
  const files = new Map<string, { file: string } | 'missing'>()
  const read = async (url: string) => {
    if (!robots.allows(url)) return { problem: 'robots.txt does not allow it' }
    return budget.isSpent() ? null : client.get(url, limits.mediaBytes)
  }
  const readFile = async (url: string) => ({ url, result: await read(url) })
  for await (const { url, result } of pMapIterable([...urls].toSorted(), readFile, { concurrency: limits.atOnce })) {
    if (budget.isSpent() || result === null) break
    await onFile()
    if (!isAnswer(result)) budget.report(url, result.problem)
    else if (result.status === 404 || result.status === 410) files.set(url, 'missing')
    else if (result.status !== 200) budget.report(url, `it answers ${result.status}`)
    else {
      budget.spend(result.body.length)
      // Some sites send an HTML page instead of a 404.
      if (result.type === 'text/html') files.set(url, 'missing')
      else files.set(url, { file: await storeMedia(staging, url, endings[result.type] ?? '', result.body) })
    }
  }
  return files
}

/** Stores an image from a data URL; null for unknown types. */
export const keepInlineImage = async (staging: string, address: string): Promise<string | null> => {
  const [, type = '', base64, data = ''] = /^data:([\w/+.-]+)[^,]*?(;base64)?,(.*)$/s.exec(address) ?? []
  const ending = endings[type]
  if (!ending || !type.startsWith('image/')) return null
  const content = base64 ? Buffer.from(data, 'base64') : Buffer.from(decodeAddress(data))
  return storeMedia(staging, `image${ending}?${computeDigest(content)}`, ending, content)
}

const storeMedia = async (staging: string, url: string, known: string, content: Uint8Array) => {
  const name = decodeAddress(/[^/?]*(?=\?|$)/.exec(url)?.[0] ?? '')
  const ending = /^\.[a-z0-9]{1,8}$/i.test(extname(name)) ? extname(name).toLowerCase() : known
  const stem = name
    .slice(0, name.length - extname(name).length)
    .replace(/[^\w-]+/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, 60)
  const file = `media/${stem || 'file'}-${computeDigest(url)}${known === '.svg' ? known : ending}`
  await mkdir(join(staging, 'media'), { recursive: true })
  await writeFile(join(staging, file), content)
  return file
}
