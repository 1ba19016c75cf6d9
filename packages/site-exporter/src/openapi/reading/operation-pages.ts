import { posix } from 'node:path'
import { toLine, toText } from '@docket/sources/text'
import { asData, asList } from '#site/data.ts'
import { apiLimits } from '#openapi/limits.ts'
import type { ApiDocument, ApiOperation } from './api-document.ts'

export type OperationGroup = { title: string | null; paths: string[]; document: ApiDocument }

/** Titles of groups. Equal ones get the title, version or file of their document, whichever tells them apart. */
export const tellApart = <Title extends string | null>(
  groups: readonly { title: Title; document: ApiDocument }[],
): Title[] => {
  const alike = Map.groupBy(groups, ({ title }) => title)
  return groups.map((group) => {
    const others = alike.get(group.title)!
    const mark = [readTitle, readVersion, readFileName, readFile].find(
      (read) => new Set(others.map(({ document }) => read(document) ?? '')).size === others.length,
    )
    const text = others.length > 1 && group.title !== null ? mark?.(group.document) : null
    return text ? (`${group.title} (${text})` as Title) : group.title
  })
}

const readTitle = ({ title }: ApiDocument) => title
const readVersion = ({ version }: ApiDocument) => version
const readFileName = ({ file }: ApiDocument) => posix.parse(file).name
const readFile = ({ file }: ApiDocument) => file

export const createOperationPages = (isTaken: (path: string) => boolean) => {
  const paths = new Map<ApiOperation, string>()
  const newPages = new Map<string, ApiOperation>()
  const byPath = new Map<string, ApiOperation>()
  // The next number for each name, because thousands of operations may share one.
  const used = new Map<string, number>()
  const refused = new Set<ApiOperation>()

  const free = (wanted: string) => {
    let count = used.get(wanted) ?? 0
    const next = () => (++count === 1 ? wanted : `${wanted}-${count}`)
    let path = next()
    while (isTaken(path) || byPath.has(path)) path = next()
    used.set(wanted, count)
    return path
  }
  /** Path of an operation's page, assigned on first use. Null beyond the limit. */
  const assignPath = (operation: ApiOperation, directory: string) => {
    const known = paths.get(operation)
    if (known !== undefined) return known
    if (newPages.size >= apiLimits.operations) {
      refused.add(operation)
      return null
    }
    const path = free(findWantedPath(operation, directory))
    paths.set(operation, path)
    newPages.set(path, operation)
    byPath.set(path, operation)
    return path
  }
  return {
    assignPath,
    hasPage: (operation: ApiOperation) => paths.has(operation),
    adopt: (operation: ApiOperation, path: string) => {
      if (!paths.has(operation)) paths.set(operation, path)
      byPath.set(path, operation)
    },
    listGroups: (document: ApiDocument, directory: string): OperationGroup[] => {
      const groups = new Map<string | null, string[]>()
      for (const operation of document.operations) {
        const path = assignPath(operation, directory)
        if (path === null || operation.isHidden) continue
        const group = groups.get(operation.tag) ?? []
        groups.set(operation.tag, group)
        group.push(path)
      }
      const titles = readTagTitles(document)
      return [...groups].map(([tag, group]) => ({ title: tag && (titles.get(tag) ?? tag), paths: group, document }))
    },
    newPages,
    byPath,
    refused,
  }
}

export type OperationPages = ReturnType<typeof createOperationPages>

const findWantedPath = (operation: ApiOperation, directory: string) => {
  const href = toText(asData(operation.data['x-mint'])['href'])
  if (href?.startsWith('/'))
    return href.split(/[?#]/)[0]!.split('/').map(toSlug).filter(Boolean).slice(0, 6).join('/') || 'api'
  const tag = operation.tag && toSlug(operation.tag)
  const name = toSlug(operation.title) || toSlug(`${operation.method} ${operation.path}`) || 'operation'
  return [...directory.split('/').map(toSlug), tag, name].filter(Boolean).join('/')
}

/** Lower-case words of any script joined by hyphens, short enough for a file name. */
const toSlug = (text: string) =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .slice(0, 60)
    .toWellFormed()
    .replace(/[-\uFFFD]+$|^-+/g, '')

const readTagTitles = (document: ApiDocument) =>
  new Map(
    asList(document.root['tags']).flatMap((tag): [string, string][] => {
      const name = toLine(asData(tag)['name'], 80)
      const title = toLine(asData(tag)['x-group'], 80) ?? toLine(asData(tag)['summary'], 80)
      return name && title ? [[name, title]] : []
    }),
  )
