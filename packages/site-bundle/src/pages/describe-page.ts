import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { DefaultTreeAdapterTypes as Tree } from 'parse5'
import type { PageDescription } from '#manifest.ts'
import { neutralisePath, neutraliseText } from '#pages/description/build-ids.ts'
import { findMain, readPlace, type Landmark } from '#pages/description/landmarks.ts'
import { readDescription } from '#pages/description/marks.ts'
import { readMainText, type MainText } from '#pages/description/read-text.ts'
import { signText } from '#pages/description/signature.ts'
import { findChild, isElement, isText, readAttribute, readText, walkTree } from './html.ts'

export type ReferencedFile = {
  path: string
  sha256: string
  /** `hashStyle` of a stylesheet's text. Null for other files and unread stylesheets. */
  styleHash: string | null
}

/** What a page's description needs to know of the other files. References are attributes as they are written. */
export type PageContext = {
  /** Address of a page within the site with its fragment, or a URL of another site; null when it cannot be followed. */
  resolveLink(href: string): string | null
  /** The file that a reference leads to; null for pages, for files that are missing and for other hosts. */
  findFile(reference: string): ReferencedFile | null
}

const hashText = (text: string) => hash('sha256', text, 'hex')

/** SHA-256 of a stylesheet without build ids, dates and spaces, lower-case hexadecimal. */
export const hashStyle = (css: string): string => hashText(neutraliseText(css))

export const describePage = (document: Tree.Document, context: PageContext): PageDescription => {
  const html = findChild(document, 'html')
  if (html === null) return { ...emptyDescription, textHash: hashText('') }
  const { main, isBody, theme } = findMain(html)
  const content = readMainText(main, isBody)
  const text = content.blocks.map((block) => block.text).join('\n')
  return {
    title: readTitle(html),
    language: readAttribute(html, 'lang') ?? '',
    headings: content.headings,
    textHash: hashText(text),
    ...signText(text),
    details: hashDetails([readDescription(html), ...content.marks]),
    ...readReferences(content, context),
    shared: { ...readShared(html, isBody ? null : main, context), theme: hashTheme(theme, context) },
  }
}

const hashDetails = (details: readonly string[]) => {
  const text = neutraliseText(details.join('\n'))
  return text === '' ? '' : hashText(text).slice(0, 32)
}

/** A page that was not read, so its text has no hash. */
export const emptyDescription: PageDescription = {
  title: '',
  language: '',
  headings: [],
  words: 0,
  textHash: '',
  signature: '',
  links: [],
  shows: [],
  shared: { navigation: null, header: null, footer: null, theme: null },
}

const readTitle = (html: Tree.Element) => {
  const head = findChild(html, 'head')
  const title = head === null ? null : findChild(head, 'title')
  return title === null ? '' : readText(title).replace(/\s+/g, ' ').trim()
}

/** Counts characters in scripts without spaces. */
export const readWordCount = (text: string): number =>
  text.match(/[\u0e00-\u0eff\u3040-\ud7ff]|[^\s\u0e00-\u0eff\u3040-\ud7ff]+/g)?.length ?? 0

const readReferences = ({ elements }: MainText, context: PageContext) => {
  const links = new Set<string>()
  const shows = new Set<string>()
  const show = (reference: string | null) => {
    if (!reference) return
    const file = context.findFile(reference)
    if (file) shows.add(file.sha256)
    else if (reference.startsWith('data:')) shows.add(hashText(reference))
    else if (/^(?:https?:)?\/\//i.test(reference)) shows.add(reference)
  }
  for (const element of elements) {
    if (element.tagName !== 'a') {
      for (const name of ['src', 'poster', 'data', 'href']) show(readAttribute(element, name))
      for (const candidate of readAttribute(element, 'srcset')?.split(/,\s+/) ?? [])
        show(candidate.trim().split(/\s/)[0] ?? null)
      continue
    }
    const href = readAttribute(element, 'href')?.trim()
    if (!href || readAttribute(element, 'role') === 'tab') continue
    if (href.startsWith('#')) links.add(href)
    else if (context.findFile(href)) show(href)
    else {
      const address = context.resolveLink(href)
      if (address !== null) links.add(address)
    }
  }
  return { links: [...links], shows: [...shows] }
}

/** Hashes the text and the links of what surrounds the main content. Links within the page belong to its outline. */
const readShared = (html: Tree.Element, main: Tree.Element | null, context: PageContext) => {
  const parts: Record<Landmark, string[]> = { navigation: [], header: [], footer: [] }
  let open: { element: Tree.Element; landmark: Landmark; pieces: string[]; links: number } | null = null
  walkTree(
    html,
    (node) => {
      if (node === main) return false
      if (isText(node)) {
        const text = open ? node.value.replace(/\s+/g, ' ').trim() : ''
        if (text !== '') open?.pieces.push(text)
        return false
      }
      if (!isElement(node) || node.tagName === 'head') return false
      const { isSilent, landmark } = readPlace(node)
      if (isSilent) return false
      if (landmark && !open) open = { element: node, landmark, pieces: [], links: 0 }
      const href = open && node.tagName === 'a' ? readAttribute(node, 'href') : null
      if (!open || href === null) return true
      if (href.startsWith('#')) return false
      open.pieces.push(`\n${context.resolveLink(href) ?? ''} `)
      open.links++
      return true
    },
    (element) => {
      if (open?.element !== element) return
      // An outline of the page is part of the page.
      if (open.landmark !== 'navigation' || open.links > 0)
        for (const piece of open.pieces) parts[open.landmark].push(piece)
      open = null
    },
  )
  const hashPart = (pieces: string[], read: (text: string) => string) =>
    pieces.length === 0 ? null : hashText(read(pieces.join('\0')))
  return {
    navigation: hashPart(parts.navigation, (text) => text),
    header: hashPart(parts.header, neutraliseText),
    footer: hashPart(parts.footer, neutraliseText),
  }
}

/** Hashes styles by content and scripts by name: the content of bundled scripts changes with every page. */
const hashTheme = (theme: readonly Tree.Element[], context: PageContext) => {
  const styles: string[] = []
  const scripts = new Set<string>()
  for (const element of theme) {
    if (element.tagName === 'style') {
      styles.push(hashInlined(readText(element)))
    } else if (element.tagName === 'link') {
      if (!/\bstylesheet\b/i.test(readAttribute(element, 'rel') ?? '')) continue
      const href = readAttribute(element, 'href') ?? ''
      const file = context.findFile(href)
      styles.push(file?.styleHash ?? file?.sha256 ?? neutraliseText(href))
    } else {
      const source = readAttribute(element, 'src')
      const file = source === null ? null : context.findFile(source)
      if (file) scripts.add(neutralisePath(file.path))
    }
  }
  return styles.length + scripts.size === 0 ? null : hashText([...styles, ...[...scripts].toSorted()].join('\n'))
}

/** Generators inline the same styles on every page. */
const inlinedStyles = new LRUCache<string, string>({ max: 200, memoMethod: hashStyle })
const maxInlinedLength = 100_000

const hashInlined = (css: string): string => (css.length > maxInlinedLength ? hashStyle(css) : inlinedStyles.memo(css))
