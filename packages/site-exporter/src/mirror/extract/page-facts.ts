import type { Element, Root } from 'hast'
import { findElement, findElements, isElement, readAttribute, readText } from './elements.ts'

/** All addresses are absolute. */
export type PageFacts = {
  documentTitle: string | null
  siteName: string | null
  description: string | null
  canonical: string | null
  refresh: string | null
  icon: string | null
  color: string | null
  base: string
}

export const readPageFacts = (page: Root, url: string): PageFacts => {
  const head = findElement(page, (node) => isElement(node, 'head')) ?? page
  const element = (matches: (node: Element) => boolean) => findElement(head, matches)
  const meta = (key: string, name: string) => {
    const found = element((node) => isElement(node, 'meta') && readAttribute(node, key).toLowerCase() === name)
    return (found && readAttribute(found, 'content').replaceAll(/\s+/g, ' ').trim()) || null
  }
  const rels = (name: string) => (node: Element) =>
    isElement(node, 'link') && readAttribute(node, 'rel').toLowerCase().split(/\s+/).includes(name)
  const baseHref = element((node) => isElement(node, 'base') && readAttribute(node, 'href') !== '')
  const base = resolveWebAddress(baseHref ? readAttribute(baseHref, 'href') : '', url) ?? url
  const link = (name: string) => {
    const found = element(rels(name))
    return found ? resolveWebAddress(readAttribute(found, 'href'), base) : null
  }
  const title = element((node) => isElement(node, 'title'))
  const refresh = /^\s*(\d+)\s*[;,]\s*(?:url\s*=\s*)?["']?([^"'\s]+)/i.exec(meta('httpEquiv', 'refresh') ?? '')
  const color = meta('name', 'theme-color')
  return {
    documentTitle: (title && readText(title)) || meta('property', 'og:title'),
    siteName: meta('property', 'og:site_name'),
    description: meta('name', 'description') ?? meta('property', 'og:description'),
    canonical: link('canonical'),
    refresh: refresh && Number(refresh[1]) <= 5 ? resolveWebAddress(refresh[2]!, base) : null,
    icon: link('icon'),
    color: color && /^#[0-9a-f]{6}$/i.test(color) ? color : null,
    base,
  }
}

export const listLinks = (page: Root, base: string): string[] => [
  ...new Set(
    findElements(page, (node) => isElement(node, 'a', 'area') && 'href' in node.properties).flatMap((node) => {
      const href = resolveWebAddress(readAttribute(node, 'href'), base)
      return href === null ? [] : [href.replace(/#.*$/s, '')]
    }),
  ),
]

/** Resolves a web address; null for other schemes and for credentials. */
export const resolveWebAddress = (address: string, base: string): string | null => {
  const text = address.trim()
  if (!URL.canParse(text, base)) return null
  const url = new URL(text, base)
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' ? url.href : null
}

/** Any documentation page has more words than this. */
export const thinLimit = 50

/** Counts words, or characters in scripts without spaces. */
export const countText = (text: string): number =>
  text.match(/[\u3040-\u30ff\u3400-\u9fff]|[^\u3040-\u30ff\u3400-\u9fff\p{Z}\p{P}\p{C}]+/gu)?.length ?? 0

export const hasProgram = (page: Root): boolean =>
  findElement(
    page,
    (node) =>
      isElement(node, 'script') && /^(?:|module|(?:text|application)\/javascript)$/i.test(readAttribute(node, 'type')),
  ) !== undefined
