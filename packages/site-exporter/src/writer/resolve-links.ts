import type { Element, ElementContent, Root } from 'hast'
import { h } from 'hastscript'
import pMap from 'p-map'
import type { Note } from '#markdown/page-notes.ts'
import type { Words } from '#site/words.ts'
import type { SourcePage } from '#site/source-page.ts'
import { toHtmlFile, toRelativeHref, type Addresses, type Destination } from './addresses.ts'
import { toPageHref, type AnchorUse } from './fragments.ts'
import type { Media } from './media.ts'

type Place = { node: Element; insideLink: boolean }

/** Makes links relative and media local. Dead links become text; remote media become links. */
export const resolveLinks = async (
  tree: Root,
  page: SourcePage,
  deps: { addresses: Addresses; media: Media; note: Note; words: Words },
): Promise<AnchorUse[]> => {
  const { addresses, media, note } = deps
  const words = deps.words.content
  const here = toHtmlFile(page.path)
  const anchors: AnchorUse[] = []
  const places = findPlaces(tree, false)
  await fetchRemoteFiles(places, page, deps)

  const hrefTo = async (destination: Destination, raw: string): Promise<string | null> => {
    if (destination.kind === 'outside') {
      const fetched = isDocument(destination.href) ? await media.fetch(destination.href) : null
      if (fetched && 'file' in fetched) return toRelativeHref(here, fetched.file)
      if (fetched) note('missing-file', `${shortenText(raw)}: ${fetched.problem}`)
      return destination.href
    }
    if (destination.kind === 'fragment' || destination.kind === 'page') {
      const use = {
        from: page.path,
        path: 'path' in destination ? destination.path : page.path,
        fragment: destination.fragment,
      }
      if (use.fragment) anchors.push(use)
      return toPageHref(use)
    }
    const result =
      destination.kind === 'file'
        ? await media.copy(destination.candidates)
        : { problem: destination.kind === 'hidden' ? 'the page is hidden' : 'this address is not followed' }
    if ('file' in result) return toRelativeHref(here, result.file)
    note('broken-link', `${shortenText(raw)}: ${result.problem}`)
    return null
  }

  for (const { node, insideLink } of places) {
    if (node.properties['srcSet'] !== undefined) {
      await takeCandidates(node)
      continue
    }
    const raw = String(node.properties['href'] ?? node.properties['src'] ?? '')
    if (node.tagName === 'a') {
      if (!('href' in node.properties)) continue
      const destination = addresses(page, raw)
      const href = await hrefTo(destination, raw)
      if (href === null)
        replaceNode(node, [h('span', { className: ['missing-link'], title: words.missingLink }, node.children)])
      else {
        node.properties['href'] = href
        if (destination.kind === 'outside' && href === destination.href)
          node.properties['rel'] = ['noopener', 'noreferrer']
      }
      continue
    }
    replaceNode(node, await embed(node, raw, insideLink))
  }
  return anchors

  /** Keeps the candidates of a `<source>` that are copied. Without any, nothing takes its place. */
  async function takeCandidates(node: Element): Promise<void> {
    const kept: string[] = []
    for (const [, raw = '', size = ''] of String(node.properties['srcSet']).matchAll(candidate)) {
      const [shown] = await embed(h('img'), raw, true)
      if (shown?.type === 'element' && shown.tagName === 'img') kept.push(`${String(shown.properties['src'])}${size}`)
    }
    if (kept.length === 0) replaceNode(node, [])
    else node.properties['srcSet'] = kept.join(', ')
  }

  async function embed(node: Element, raw: string, insideLink: boolean): Promise<ElementContent[]> {
    const destination = raw === '' ? null : addresses(page, raw)
    if (destination?.kind === 'outside') {
      const fetched = node.tagName === 'iframe' ? null : await media.fetch(destination.href)
      if (fetched && 'file' in fetched) return show(fetched.file)
      if (fetched) note('missing-file', `${shortenText(raw)}: ${fetched.problem}`)
      note('left-out', formatRemoteRemark(readHost(destination.href)))
      const label =
        String(node.properties['alt'] ?? node.properties['title'] ?? '') ||
        (node.tagName === 'img' ? words.image : words.embedded)
      // An icon has no text to show instead.
      if (isIcon(node)) return []
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
    if ('file' in result) return show(result.file)
    note('missing-file', `${shortenText(raw)}: ${result.problem}`)
    const alt = String(node.properties['alt'] ?? '')
    return alt ? [h('span', { className: ['missing-file'] }, alt)] : []

    function show(file: string): ElementContent[] {
      node.properties['src'] = toRelativeHref(here, file)
      if (node.tagName === 'img')
        Object.assign(node.properties, { alt: node.properties['alt'] ?? '', loading: 'lazy', decoding: 'async' })
      if (node.tagName === 'video' || node.tagName === 'audio')
        Object.assign(node.properties, { controls: true, preload: 'none' })
      return [node]
    }
  }
}

const formatRemoteRemark = (host: string) => `something that would be loaded from ${host}; a link took its place`

export const remoteRemark = /^something that would be loaded from (\S+); a link took its place$/

/** An address of `srcset`, and its size. */
const candidate = /\s*([^\s,]\S*[^\s,]|[^\s,])(\s+[\d.]{1,10}[wxh])?\s*(?:,|$)/g

const requestsAtOnce = 4
const isDocument = (href: string) =>
  /\.(?:pdf|png|jpe?g|gif|webp|avif|svg|mp4|webm|mov|mp3)$/i.test(href.replace(/[?#].*$/s, ''))

/** Fetches the files of a page from other hosts in parallel. The results are cached. */
const fetchRemoteFiles = async (
  places: readonly Place[],
  page: SourcePage,
  { addresses, media }: { addresses: Addresses; media: Media },
): Promise<void> => {
  const hrefs = places.flatMap(({ node: { tagName, properties } }) => {
    const raw = String(properties['href'] ?? properties['src'] ?? '')
    const isRemote = /^\s*(?:https?:)?\/\//i.test(raw) && tagName !== 'iframe'
    const destination = isRemote ? addresses(page, raw) : null
    const isWanted = destination?.kind === 'outside' && (tagName !== 'a' || isDocument(destination.href))
    return isWanted ? [destination.href] : []
  })
  await pMap(new Set(hrefs), (href) => media.fetch(href), { concurrency: requestsAtOnce })
}

/** Replaces in place; an index search would take quadratic time. */
const replaceNode = (node: Element, [by]: readonly ElementContent[]) => {
  if (by === node) return
  for (const key of Object.keys(node)) Reflect.deleteProperty(node, key)
  Object.assign(node, by ?? { type: 'text', value: '' })
}

/** Elements with addresses, inner ones first, so that replacing one does not lose another. */
const findPlaces = (parent: Element | Root, insideLink: boolean): Place[] =>
  parent.children.flatMap((node): Place[] => {
    if (node.type !== 'element') return []
    const inner = findPlaces(node, insideLink || node.tagName === 'a')
    const points = 'href' in node.properties || 'src' in node.properties || /^(img|iframe|source)$/.test(node.tagName)
    return points ? [...inner, { node, insideLink }] : inner
  })

const isIcon = ({ properties }: Element) => String(properties['className'] ?? '') === 'icon-picture'

const shortenText = (text: string) => (text.length > 120 ? `${text.slice(0, 117)}…` : text)
const readHost = (href: string) => (URL.canParse(href) ? new URL(href).host : 'another host')
