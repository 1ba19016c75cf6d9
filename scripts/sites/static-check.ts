import { posix } from 'node:path'
import type { Fault, FaultKind } from './faults.ts'
import { parsePage, listReferences, styleAddresses, type Reference } from './html-references.ts'
import { pageFaults } from './page-faults.ts'
import { searchFaults, sitemapFaults } from './site-lists.ts'

/** What documentation tools read, and readers must not: tags, components, blocks, templates, modules and comments. */
const marks = [
  /<\/[A-Za-z][\w.-]*>|<[A-Za-z][\w.-]*\s+[\w:-]+=/,
  /^\s*(?::::|```|~~~|(?:!!!|\?\?\?)\+? ?[a-z])/,
  /\{%|\{\{|\{\/\*|<!--/,
  /^\s*(?:import\s.+\sfrom\s+['"]|export\s+(?:const|default|function)\s)/,
  /--8<--|@include:|\{\{#include/,
]

/** Texts of a page that show the notation of its source in place of its meaning. */
const sourceFaults = (page: string, texts: readonly string[]): Fault[] =>
  texts
    .filter((text) => marks.some((mark) => mark.test(text)))
    .map((text) => ({ page, kind: 'source', what: text.replace(/\s+/g, ' ').trim().slice(0, 90) }))

/** Checked files and their faults. */
export type StaticResult = {
  counts: { files: number; pages: number; links: number; fragments: number; loads: number; forgiven: number }
  faults: Fault[]
}

type Page = { references: Reference[]; ids: ReadonlySet<string> }

/**
 * Checks every file of a site. A fragment that was already broken in the source, and is named with its page in the
 * export report, is counted as forgiven.
 */
export const staticCheck = (files: ReadonlyMap<string, Buffer>): StaticResult => {
  const faults: Fault[] = []
  const pages = new Map<string, Page>()
  for (const [name, content] of files) {
    if (!name.endsWith('.html')) continue
    const { elements, texts, repairs } = parsePage(content.toString('utf8'))
    const ids = elements.flatMap(({ tag, attributes }) => [
      attributes.get('id') ?? '',
      (tag === 'a' && attributes.get('name')) || '',
    ])
    pages.set(name, { references: listReferences(elements), ids: new Set(ids) })
    faults.push(...pageFaults(name, elements), ...sourceFaults(name, texts))
    faults.push(...repairs.map((what): Fault => ({ page: name, kind: 'structure', what })))
  }
  for (const [name, content] of files) {
    if (/\.(css|svg)$/.test(name)) pages.set(name, { references: looseReferences(name, content), ids: new Set() })
  }

  const known = alreadyBroken(files.get('export-report.json'))
  const counts = { files: files.size, pages: 0, links: 0, fragments: 0, loads: 0, forgiven: 0 }
  for (const [page, { references }] of pages) {
    if (page.endsWith('.html')) counts.pages += 1
    for (const reference of references) {
      if (reference.use === 'load') counts.loads += 1
      if (reference.use === 'link') counts.links += 1
      const kind = findFault(reference)
      if (kind !== null) faults.push({ page, kind, what: `<${reference.tag}> ${reference.address}` })
      if (kind !== null || isAbsolute(reference.address)) continue
      const { target, fragment } = resolvePlace(page, reference.address)
      const kindOfMissing = reference.use === 'load' ? 'load' : 'link'
      if (!files.has(target))
        faults.push({ page, kind: kindOfMissing, what: `<${reference.tag}> ${reference.address}` })
      if (fragment === '' || !target.endsWith('.html') || !pages.has(target)) continue
      counts.fragments += 1
      if (pages.get(target)!.ids.has(fragment)) continue
      if (known.has(`${withoutEnding(page)} ${withoutEnding(target)}#${fragment}`)) counts.forgiven += 1
      else faults.push({ page, kind: 'fragment', what: reference.address })
    }
  }
  return { counts, faults: [...faults, ...sitemapFaults(files), ...searchFaults(files)] }
}

const isAbsolute = (address: string) => /^[a-z][a-z0-9+.-]*:/i.test(address)

/** Fault of an address by itself; null without one. */
const findFault = ({ use, address }: Reference): FaultKind | null => {
  const text = address.trim()
  if (use === 'name') return /^https?:/i.test(text) || !isAbsolute(text) ? null : 'scheme'
  if (text.startsWith('//')) return use === 'load' ? 'third-party' : 'root-absolute'
  if (text.startsWith('/')) return 'root-absolute'
  if (!isAbsolute(text)) return null
  if (use === 'load')
    return /^data:(image\/|font\/|application\/(x-)?font|,)/i.test(text)
      ? null
      : /^https?:/i.test(text)
        ? 'third-party'
        : 'scheme'
  return /^(https?|mailto|tel):/i.test(text) ? null : 'scheme'
}

/** File and part of it that an address on a page means. A folder means its index, as every host has it. */
export const resolvePlace = (page: string, address: string) => {
  const [path = '', fragment = ''] = address
    .replace(/\?[^#]*/, '')
    .split('#', 2)
    .map(decode)
  const target = path === '' ? page : posix.join(posix.dirname(page), path)
  return { target: target.endsWith('/') ? `${target}index.html` : target, fragment }
}

const decode = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A picture may paint with parts of itself, `url(#id)`; that is no reference to a file. */
const looseReferences = (name: string, content: Buffer): Reference[] => {
  const text = content.toString('utf8')
  if (name.endsWith('.css')) return styleAddresses(text).map((address) => ({ use: 'load', tag: 'css', address }))
  return listReferences(parsePage(text).elements).filter(({ address }) => !address.startsWith('#'))
}

const withoutEnding = (name: string) => name.replace(/\.html$/, '')

const alreadyBroken = (report: Buffer | undefined) => {
  const { lines = [] } = (report === undefined ? {} : JSON.parse(report.toString('utf8'))) as {
    lines?: { page: string | null; kind: string; what: string }[]
  }
  return new Set(lines.filter(({ kind }) => kind === 'broken-anchor').map(({ page, what }) => `${page ?? ''} ${what}`))
}
