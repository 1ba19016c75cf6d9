import type { Element, ElementContent, Root } from 'hast'
import { h } from 'hastscript'
import type { Note } from '#markdown/page-notes.ts'
import type { SourcePage } from '#site/source-page.ts'
import { toHtmlFile, relativeHref, type Addresses, type Destination } from './addresses.ts'
import { pageHref, type AnchorUse } from './fragments.ts'
import type { Media } from './media.ts'

type Place = { node: Element; insideLink: boolean }

/** Makes links relative and media local. Dead links become text; remote media become links. */
export const resolveLinks = async (
  tree: Root,
  page: SourcePage,
  deps: { addresses: Addresses; media: Media; note: Note },
): Promise<AnchorUse[]> => {
  const { addresses, media, note } = deps
  const here = toHtmlFile(page.path)
  const anchors: AnchorUse[] = []
  const places = findPlaces(tree, false)

  const hrefTo = async (destination: Destination, raw: string): Promise<string | null> => {
    if (destination.kind === 'outside') return destination.href
    if (destination.kind === 'fragment' || destination.kind === 'page') {
      const use = {
        from: page.path,
        path: 'path' in destination ? destination.path : page.path,
        fragment: destination.fragment,
      }
      if (use.fragment) anchors.push(use)
      return pageHref(use)
    }
    const result =
      destination.kind === 'file'
        ? await media.copy(destination.candidates)
        : { problem: destination.kind === 'hidden' ? 'the page is hidden' : 'this address is not followed' }
    if ('file' in result) return relativeHref(here, result.file)
    note('broken-link', `${shorten(raw)}: ${result.problem}`)
    return null
  }

  for (const { node, insideLink } of places) {
    const raw = String(node.properties['href'] ?? node.properties['src'] ?? '')
    if (node.tagName === 'a') {
      if (!('href' in node.properties)) continue
      const destination = addresses(page, raw)
      const href = await hrefTo(destination, raw)
      if (href === null)
        replace(node, [h('span', { className: ['missing-link'], title: 'This link leads nowhere' }, node.children)])
      else {
        node.properties['href'] = href
        if (destination.kind === 'outside') node.properties['rel'] = ['noopener', 'noreferrer']
      }
      continue
    }
    replace(node, await embed(node, raw, insideLink))
  }
  return anchors

  async function embed(node: Element, raw: string, insideLink: boolean): Promise<ElementContent[]> {
    const destination = raw === '' ? null : addresses(page, raw)
    if (destination?.kind === 'outside') {
      note('left-out', `something that would be loaded from ${readHost(destination.href)}; a link took its place`)
      const label =
        String(node.properties['alt'] ?? node.properties['title'] ?? '') ||
        (node.tagName === 'img' ? 'Image' : 'Embedded content')
      // Links cannot nest.
      if (insideLink) return [{ type: 'text', value: label }]
      return [
        h(
          'a',
          { className: ['outside'], href: destination.href, rel: 'noopener noreferrer' },
          `${label} (${readHost(destination.href)})`,
        ),
      ]
    }
    if (node.tagName === 'iframe' || !destination)
      return node.tagName === 'video' || node.tagName === 'audio' ? [node] : []
    const result =
      destination.kind === 'file' ? await media.copy(destination.candidates) : { problem: 'there is no such file' }
    if ('file' in result) {
      node.properties['src'] = relativeHref(here, result.file)
      if (node.tagName === 'img')
        Object.assign(node.properties, { alt: node.properties['alt'] ?? '', loading: 'lazy', decoding: 'async' })
      if (node.tagName === 'video' || node.tagName === 'audio')
        Object.assign(node.properties, { controls: true, preload: 'none' })
      return [node]
    }
    note('missing-file', `${shorten(raw)}: ${result.problem}`)
    const alt = String(node.properties['alt'] ?? '')
    return alt ? [h('span', { className: ['missing-file'] }, alt)] : []
  }
}

/** Replaces in place; an index search would take quadratic time. */
const replace = (node: Element, [by]: readonly ElementContent[]) => {
  if (by === node) return
  for (const key of Object.keys(node)) Reflect.deleteProperty(node, key)
  Object.assign(node, by ?? { type: 'text', value: '' })
}

/** Elements with addresses, inner ones first, so that replacing one loses no other. */
const findPlaces = (parent: Element | Root, insideLink: boolean): Place[] =>
  parent.children.flatMap((node): Place[] => {
    if (node.type !== 'element') return []
    const inner = findPlaces(node, insideLink || node.tagName === 'a')
    const points = 'href' in node.properties || 'src' in node.properties || /^(img|iframe|source)$/.test(node.tagName)
    return points ? [...inner, { node, insideLink }] : inner
  })

const shorten = (text: string) => (text.length > 120 ? `${text.slice(0, 117)}…` : text)
const readHost = (href: string) => (URL.canParse(href) ? new URL(href).host : 'another host')
