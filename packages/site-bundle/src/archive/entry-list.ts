import { isUtf8 } from 'node:buffer'
import type { Bounds } from '#bounds.ts'
import { decodeBytes } from '#locator/addresses.ts'
import {
  ArchiveRefused,
  type ArchiveContent,
  type FileRemark,
  controlCharacter,
  quoteName,
  showControls,
  throwRefusal,
  throwTotalRefusal,
} from './archive-file.ts'

type Link = { target: string; isHard: boolean }

/**
 * Files, folders and links of an archive, one after the other as it lists them. Throws `ArchiveRefused` for what leads out of the archive,
 * and beyond a bound. Names that no system can have are left out.
 */
export type EntryList = ReturnType<typeof createEntryList>

export type ArchiveReading = {
  file: string
  sizeBytes: number
  bounds: Bounds
  signal: AbortSignal | undefined
  list: EntryList
}

const maxHops = 40
const bySystem = /^(?:\._.*|__MACOSX|\.DS_Store|Icon\r|Thumbs\.db|desktop\.ini)$/i
export const createEntryList = (bounds: Bounds) => {
  const files = new Map<string, number>()
  const links = new Map<string, Link>()
  const folders = new Set<string>([''])
  const foreignParts = new Set<string>()
  const remarks: FileRemark[] = []
  let pathBytes = 0
  let entries = 0

  const count = (path: string) => {
    pathBytes += path.length
    entries += 1
    if (entries > bounds.entries)
      throw new ArchiveRefused(
        'too_large',
        `The archive has more than ${formatNumber(bounds.entries)} files and folders.`,
      )
    if (pathBytes > bounds.allPathBytes)
      throw new ArchiveRefused('too_large', 'The names of the files in the archive are too long altogether.')
  }
  const addFolders = (parts: readonly string[]) => {
    // From the inside out: a known folder has known parents.
    for (let depth = parts.length; depth > 0; depth -= 1) {
      const path = parts.slice(0, depth).join('/')
      if (folders.has(path)) return
      count(path)
      folders.add(path)
      if (files.delete(path)) remarks.push({ rule: 'unusable-name', path })
    }
  }
  /** Null for a name that is left out. */
  const readParts = (name: string) => {
    const parts = splitName(name, bounds)
    const isSystems = parts.some((part) => bySystem.test(part))
    if (!isSystems && !controlCharacter.test(name)) return parts
    count(name)
    remarks.push({ rule: isSystems ? 'system-file' : 'unusable-name', path: showControls(name) })
    return null
  }
  /** Null for a name that is left out. */
  const addPath = (name: string) => {
    const parts = readParts(name)
    if (parts === null) return null
    const path = parts.join('/')
    count(path)
    addFolders(parts.slice(0, -1))
    if (folders.has(path)) {
      remarks.push({ rule: 'unusable-name', path: path === '' ? name : path })
      return null
    }
    if (files.delete(path) || links.delete(path)) remarks.push({ rule: 'repeated-file', path })
    return path
  }
  const leadsOut = (path: string, { isHard }: Link) =>
    throwRefusal(`${quoteName(path)} is a ${isHard ? 'hard' : 'symbolic'} link that leads out of the archive.`)

  /** Follows links as a file system does. Null for a circle. */
  const resolveLink = (path: string): string | null => {
    const queue = path.split('/')
    let at: string[] = []
    for (let hops = 0; queue.length > 0;) {
      const part = queue.shift()!
      if (part === '..' && at.pop() === undefined) leadsOut(path, links.get(path)!)
      if (part === '' || part === '.' || part === '..') continue
      at.push(part)
      const link = links.get(at.join('/'))
      if (link === undefined) continue
      hops += 1
      if (hops > maxHops) return null
      at = link.isHard ? [] : at.slice(0, -1)
      queue.unshift(...link.target.split('/'))
    }
    return at.join('/')
  }
  const listChildren = () => {
    const children = new Map<string, Set<string>>()
    for (const path of [...files.keys(), ...links.keys(), ...folders]) {
      if (path === '') continue
      const end = path.lastIndexOf('/')
      const folder = path.slice(0, Math.max(0, end))
      if (!children.has(folder)) children.set(folder, new Set())
      children.get(folder)!.add(path.slice(end + 1))
    }
    return children
  }

  return {
    foreignParts,
    decodeName: (bytes: Buffer): string => {
      const name = decodeBytes(bytes)
      if (!isUtf8(bytes)) for (const part of name.split('/')) if (/%[89A-F][\dA-F]/.test(part)) foreignParts.add(part)
      return name
    },
    /** Normalised path; null for a file that is left out. */
    addFile: (name: string, sizeBytes: number): string | null => {
      const path = addPath(name)
      if (path !== null) files.set(path, sizeBytes)
      return path
    },
    addFolder: (name: string): void => addFolders(readParts(name) ?? []),
    /** `target` counts from the folder of a symbolic link, and from the root of the archive for a hard one. */
    addLink: (name: string, link: Link): void => {
      const path = addPath(name)
      if (path === null) return
      if (isAbsolute(link.target)) leadsOut(path, link)
      links.set(path, link)
    },
    /** Makes copies of linked files and folders. Real files win over them. */
    finish: (archiveBytes: number): Pick<ArchiveContent, 'contentBytes' | 'sources' | 'remarks'> => {
      const sources = new Map([...files.keys()].map((path) => [path, path]))
      let contentBytes = [...files.values()].reduce((sum, size) => sum + size, 0)
      const children = links.size === 0 ? new Map<string, Set<string>>() : listChildren()
      const copy = (to: string, from: string | null, trail: readonly string[]) => {
        count(to)
        splitName(to, bounds)
        const size = files.get(from ?? '')
        if (from !== null && size !== undefined) {
          if (sources.has(to) || folders.has(to)) return
          sources.set(to, from)
          contentBytes += size
          return throwTotalRefusal(contentBytes, archiveBytes, bounds)
        }
        const isCircle = from === '' || `${to}/`.startsWith(`${from}/`) || trail.includes(from ?? '')
        if (from === null || !folders.has(from) || isCircle)
          return void remarks.push({ rule: 'dangling-link', path: to })
        for (const name of children.get(from) ?? []) {
          const path = `${from}/${name}`
          copy(`${to}/${name}`, links.has(path) ? resolveLink(path) : path, [...trail, from])
        }
      }
      for (const path of links.keys()) copy(path, resolveLink(path), [])
      return { contentBytes, sources, remarks }
    },
  }
}

const isAbsolute = (name: string) => /^(?:[a-z]:)?[\\/]/i.test(name)

/** Empty for the archive's own folder. */
const splitName = (name: string, bounds: Bounds) => {
  if (Buffer.byteLength(name) > bounds.pathBytes)
    throwRefusal(`${quoteName(name)} is longer than ${formatNumber(bounds.pathBytes)} bytes.`)
  if (isAbsolute(name)) throwRefusal(`${quoteName(name)} is an absolute path.`)
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) throwRefusal(`${quoteName(name)} leads out of the archive.`)
  if (name.split(/[\\/]/).includes('..'))
    throwRefusal(`${quoteName(name)} leads out of the archive where a backslash separates folders.`)
  if (parts.length - 1 > bounds.depth) throwRefusal(`${quoteName(name)} is in more than ${bounds.depth} folders.`)
  return parts
}

const formatNumber = (count: number) => count.toLocaleString('en')
