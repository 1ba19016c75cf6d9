import type { Element, ElementContent, Root } from 'hast'
import { h } from 'hastscript'
import { SKIP, walkTree } from '#markdown/walk-tree.ts'
import { createOnceNote, type Note } from '#markdown/page-notes.ts'
import { findIcon, formatIconClass, type Icon, type IconLibrary } from './find-icon.ts'

const maxIcons = 5_000
const shortcode =
  /:((?:material|octicons|simple|fontawesome-(?:solid|regular|brands))-[a-z0-9-]{1,80}):(?:\{[^{}\n]{0,100}\})?/

/** Remark about an icon that its set lacks; null if the set has it. */
export const describeMissingIcon = (name: string, icon: Icon | null): string | null => {
  if (icon !== null && !icon.isOther) return null
  return `the icon “${name}”: ${icon === null ? 'no kept set has it' : 'its set lacks it, and another one has it'}`
}

/** Creates a filter that passes only the first remark about each icon of a site, and all other remarks. */
export const createIconRemarkFilter = (): ((what: string) => boolean) => {
  const seen = new Set<string>()
  return (what) => {
    if (!what.startsWith('the icon “')) return true
    const isNew = !seen.has(what)
    seen.add(what)
    return isNew
  }
}

/** Turns marks and shortcodes such as `:octicons-alert-16:` into glyphs of the bundled sets. Reports each unknown name once. */
export const drawIcons = (tree: Root, library: IconLibrary, note: Note): void => {
  const noteOnce = createOnceNote(note)
  let left = maxIcons
  const draw = (name: string, type: string | null, more: readonly (string | null)[] = []): Element | null => {
    const icon = left-- > 0 ? findIcon(name, library, type) : null
    const what = describeMissingIcon(name, icon)
    if (what !== null) noteOnce('left-out', what)
    return (
      icon &&
      h('span', {
        className: ['icon', formatIconClass(icon), ...more.filter((one) => one !== null)],
        ariaHidden: 'true',
      })
    )
  }
  walkTree(tree, (node, index, parent) => {
    if (!parent || index === undefined) return undefined
    if (node.type === 'element') {
      if (node.tagName === 'pre' || node.tagName === 'code') return SKIP
      const name = node.properties['dataIcon']
      if (typeof name !== 'string') return undefined
      const { dataType, dataSize, dataColor } = node.properties
      const glyph = draw(name, typeof dataType === 'string' ? dataType : null, [
        findSizeClass(dataSize),
        findColorClass(dataColor, note),
      ])
      parent.children.splice(index, 1, ...(glyph ? [glyph] : []))
      return [SKIP, index + (glyph ? 1 : 0)]
    }
    if (node.type !== 'text' || !shortcode.test(node.value)) return undefined
    const pieces = splitShortcodes(node.value, (name) =>
      draw(name.replace(/^(material|octicons|simple|fontawesome-[a-z]+)-/, '$1:'), null),
    )
    parent.children.splice(index, 1, ...pieces)
    return [SKIP, index + pieces.length]
  })
}

const splitShortcodes = (text: string, draw: (name: string) => Element | null): ElementContent[] => {
  const pieces: ElementContent[] = []
  let from = 0
  for (const match of text.matchAll(new RegExp(shortcode, 'g'))) {
    const glyph = draw(match[1]!)
    // Text that only looks like a shortcode is kept.
    if (!glyph) continue
    if (match.index > from) pieces.push({ type: 'text', value: text.slice(from, match.index) })
    pieces.push(glyph)
    from = match.index + match[0].length
  }
  return from < text.length ? [...pieces, { type: 'text', value: text.slice(from) }] : pieces
}

const findSizeClass = (size: unknown): string | null => {
  const pixels = /^\{?(\d{1,3})(?:px)?\}?$/.exec(typeof size === 'string' ? size : '')?.[1]
  return pixels === undefined ? null : `is-${Number(pixels)}`
}

/** Accepts a missing `#`, which some sources forget. */
const hexColor = /^#?([\da-f]{3}|[\da-f]{6})$/i
const namedColor = /^[a-z]{3,20}$/i

/** Class for a colour. Computed colours would need a style on the page. */
const findColorClass = (color: unknown, note: Note): string | null => {
  if (typeof color !== 'string') return null
  const hex = hexColor.exec(color)?.[1]
  if (hex !== undefined) return `ik-x${hex.toLowerCase()}`
  if (namedColor.test(color)) return `ik-${color.toLowerCase()}`
  note('left-out', `the colour ${color.slice(0, 60)} of an icon`)
  return null
}
