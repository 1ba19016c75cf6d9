import type { Root } from 'hast'
import rehypeRaw from 'rehype-raw'
import { unified } from 'unified'
import { withinElements } from './element-limit.ts'

const toElements = unified().use(rehypeRaw).freeze()

/** Parses the content of a page that is HTML already into elements that are not yet safe to show. */
export const parseHtml = (source: string): Root =>
  withinElements(() => toElements.runSync({ type: 'root', children: [{ type: 'raw', value: source }] })) as Root
