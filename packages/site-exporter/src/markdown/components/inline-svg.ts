import type { Element, ElementContent, Properties, Root } from 'hast'
import { s } from 'hastscript'
import { walkTree } from '#markdown/walk-tree.ts'

const elements = new Map(
  `svg g path circle ellipse rect line polyline polygon text tspan defs linearGradient radialGradient stop clipPath mask
pattern symbol use marker title desc`
    .split(/\s+/)
    .map((name) => [name.toLowerCase(), name]),
)

const attributes = new Set(
  `viewbox width height x y x1 y1 x2 y2 cx cy r rx ry fx fy dx dy d points transform fill fillrule fillopacity stroke strokewidth
strokelinecap strokelinejoin strokedasharray strokedashoffset strokemiterlimit strokeopacity opacity cliprule clippath mask
offset stopcolor stopopacity gradientunits gradienttransform spreadmethod patternunits patterntransform clippathunits maskunits
preserveaspectratio textanchor dominantbaseline fontsize fontweight fontfamily refx refy markerwidth markerheight orient markerend
markerstart role arialabel ariahidden id href vectoreffect`.split(/\s+/),
)

/** Limits: elements per drawing, drawings per page, and characters per attribute. */
const max = { elements: 3_000, drawings: 300, value: 60_000 }
const shapes = /^(path|circle|ellipse|rect|line|polyline|polygon|text)$/

/** Inline drawings of a page, kept aside while the rest is sanitised. */
export const createDrawings = () => {
  const kept: Element[] = []
  return {
    /** Replaces a drawing by a placeholder; false for one that draws nothing. */
    keep: (node: Element): boolean => {
      const copy = kept.length < max.drawings ? cleanDrawing(node, `drawing-${kept.length + 1}-`) : null
      if (copy === null) return false
      const { dataTheme, dataUtility } = node.properties
      if (dataTheme !== undefined) copy.properties['dataTheme'] = dataTheme
      if (dataUtility !== undefined) copy.properties['dataUtility'] = dataUtility
      const place = { dataDrawing: String(kept.push(copy) - 1) }
      Object.assign(node, { tagName: 'x-drawing', properties: place, children: [] })
      return true
    },
    restore: (tree: Root): Root => {
      walkTree(tree, 'element', (node, index, parent) => {
        if (node.tagName === 'x-drawing' && parent && index !== undefined)
          parent.children[index] = kept[Number(node.properties['dataDrawing'])]!
      })
      return tree
    },
  }
}

const cleanDrawing = (svg: Element, prefix: string): Element | null => {
  const budget = { left: max.elements, shapes: 0 }
  const copied = copyElement(svg, prefix, budget)
  if (copied?.type !== 'element' || budget.shapes === 0 || budget.left <= 0) return null
  sizeIcon(copied.properties)
  return copied
}

/** Maximum width and height of an icon. Pixels. */
const maxIcon = 64

/** Without the style sheet of its site, an icon would fill the page. */
const sizeIcon = (properties: Properties) => {
  if (properties['width'] !== undefined || properties['height'] !== undefined) return
  const [, width, height] = /^\S+ \S+ (\d+) (\d+)$/.exec(String(properties['viewBox'] ?? '')) ?? []
  if (Number(width) <= maxIcon && Number(height) <= maxIcon) Object.assign(properties, { width, height })
}

const copyElement = (
  node: ElementContent,
  prefix: string,
  budget: { left: number; shapes: number },
): ElementContent | null => {
  if (node.type === 'text') return { type: 'text', value: node.value }
  const name = node.type === 'element' ? elements.get(node.tagName.toLowerCase()) : undefined
  if (node.type !== 'element' || name === undefined || budget.left-- <= 0) return null
  const children = node.children.flatMap((child) => copyElement(child, prefix, budget) ?? [])
  const properties = Object.fromEntries(
    Object.entries(node.properties).flatMap((entry) => copyAttribute(entry, prefix)),
  )
  // A reference to another file is removed, so it would draw nothing.
  if (shapes.test(name) || (name === 'use' && properties['href'])) budget.shapes++
  return s(name, properties, children)
}

/** Keeps the listed attributes. Ids get a prefix, and references can only lead to ids of the same drawing. */
const copyAttribute = ([name, value]: [string, Properties[string]], prefix: string): [string, string][] => {
  const key = name
    .replaceAll(/[-:]/g, '')
    .toLowerCase()
    .replace(/^xlinkhref$/, 'href')
  const text = Array.isArray(value) ? value.join(' ') : String(value ?? '')
  if (!attributes.has(key) || text.length > max.value) return []
  if (key === 'id') return /^[\w-]{1,80}$/.test(text) ? [[key, prefix + text]] : []
  if (key === 'href') return /^#[\w-]{1,80}$/.test(text) ? [[key, `#${prefix}${text.slice(1)}`]] : []
  const address = /^url\(\s*["']?#([\w-]{1,80})["']?\s*\)$/i.exec(text.trim())
  if (address) return [[key, `url(#${prefix}${address[1]})`]]
  return /url\s*\(|[<>\\]/i.test(text) ? [] : [[key, text]]
}
