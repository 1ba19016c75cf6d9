import type { Element, Root } from 'hast'
import { toString } from 'hast-util-to-string'
import { readClasses } from '#markdown/components/utilities.ts'
import { walkTree } from '#markdown/walk-tree.ts'
import type { SourcePage } from '#site/source-page.ts'
import { encodePart, encodePath, toPublicPath } from '#writer/addresses.ts'
import type { Frame } from '#writer/frame/html-document.ts'
import { markup } from '#writer/markup.ts'

export type UpdateEntry = { title: string; id: string | null; text: string }

const maxEntries = 100
/** Maximum length of the text of an entry. Characters. */
const maxText = 2_000

export const listUpdates = (tree: Root): UpdateEntry[] => {
  const entries: UpdateEntry[] = []
  walkTree(tree, 'element', (node) => {
    if (entries.length >= maxEntries || !readClasses(node).includes('update')) return
    const head = findHead(node)
    const id = node.properties['id']
    const text = node.children
      .filter((child) => child !== head)
      .map((child) => toString(child).trim())
      .filter((part) => part !== '')
      .join('\n')
    const words = head ? head.children.map((child) => toString(child).trim()).filter(Boolean) : [text]
    const title = words.join(' · ').replace(/\s+/g, ' ').trim().slice(0, 200)
    if (title !== '')
      entries.push({
        title: title.toWellFormed(),
        id: typeof id === 'string' ? id : null,
        text: text.slice(0, maxText).toWellFormed(),
      })
  })
  return entries
}

const findHead = (node: Element) =>
  node.children.find(
    (child): child is Element => child.type === 'element' && readClasses(child).includes('update-head'),
  )

export const toFeedFile = (path: string) => `${path}/rss.xml`

/** True when a page has a feed. Feeds need public addresses. */
export const hasFeed = ({ base }: Frame, page: SourcePage, { updates }: { updates: readonly UpdateEntry[] }): boolean =>
  base !== null && page.brand.isFeed && updates.length > 0

export const formatFeed = (
  { base, site }: Frame,
  page: SourcePage,
  { title, updates }: { title: string; updates: readonly UpdateEntry[] },
): string => {
  const address = `${base}/${encodePath(toPublicPath(page.path))}`
  const items = updates.map(({ title: label, id, text }) => {
    const link = id === null ? address : `${address}#${encodePart(id)}`
    const date = readDate(label)
    return markup`<item><title>${removeControlCharacters(label)}</title><link>${link}</link><guid>${link}</guid>${date && markup`<pubDate>${date}</pubDate>`}<description>${removeControlCharacters(text)}</description></item>\n`
  })
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel>
<title>${removeControlCharacters(`${site.name}: ${title}`)}</title><link>${address}</link><description>${removeControlCharacters(page.description ?? title)}</description>
${items}</channel></rss>
`.html
}

/** Replaces control characters, which XML does not allow. */
const removeControlCharacters = (text: string) => text.replace(/[^\P{Cc}\n\t]/gu, ' ')

/** Date at the beginning of a label, in UTC. Labels such as *Week 3* have none. */
const readDate = (label: string): string | null => {
  const [start = ''] = label.split(' · ')
  if (!/\d{4}/.test(start)) return null
  const time = Date.parse(/\d{4}-\d{2}-\d{2}$/.test(start) ? `${start}T00:00:00Z` : `${start} UTC`)
  return Number.isNaN(time) ? null : new Date(time).toUTCString()
}
