import type { Root } from 'hast'
import rehypeRaw from 'rehype-raw'
import { unified } from 'unified'
import { withinElements } from '#markdown/limits/element-limit.ts'

const rawToHtml = unified().use(rehypeRaw).freeze()

/** Replaces raw HTML in a tree by unsafe elements. */
export const parseRaw = (tree: Root): Root => withinElements(() => rawToHtml.runSync(tree)) as Root

/** Parses HTML into unsafe elements. */
export const parseHtml = (source: string): Root =>
  parseRaw({ type: 'root', children: [{ type: 'raw', value: source }] })
