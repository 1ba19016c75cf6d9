import type { Element } from 'hast'
import { readClasses, textAttribute } from './elements.ts'

/** Source of an image: its own, its lazy one, or its largest variant. Null for tracking pixels and dark duplicates. */
export const imageSource = (node: Element): string | null => {
  const { width, height } = node.properties
  if ((Number(width) === 1 && Number(height) === 1) || Number(width) === 0) return null
  const isStandIn = (address: string) => address === '' || /^data:image\/(gif|svg\+xml)/i.test(address)
  const lazy = ['dataSrc', 'dataOriginal', 'dataLazySrc'].map((name) => textAttribute(node, name)).find(Boolean)
  const src = textAttribute(node, 'src')
  if (/#(gh-)?dark(-mode)?-only$/.test(src) || / (dark-only|only-dark|dark-mode-only|on-dark) /.test(readClasses(node)))
    return null
  if (!isStandIn(src)) return src
  return (
    lazy ??
    findLargest(
      textAttribute(node, 'srcSet') || textAttribute(node, 'dataSrcSet') || textAttribute(node, 'dataSrcset'),
    ) ??
    (src || null)
  )
}

/** Finds the largest of `a.png 1x, b.png 2x`. Addresses may contain commas. */
const findLargest = (variants: string): string | null => {
  let best: { address: string; size: number } | null = null
  for (const [, address = '', size = '1'] of variants.matchAll(/(\S*[^,\s])(?:\s+([\d.]+)[wxh])?(?:\s*,|\s*$)/g)) {
    if (!best || Number(size) > best.size) best = { address, size: Number(size) }
  }
  return best?.address ?? null
}
