import type { Root } from 'hast'
import { find, isElement, textAttribute } from './elements.ts'

/** Fewer words than any page of documentation has. */
export const thinLimit = 50

/** Counts words; in scripts without blanks, characters. */
export const countText = (text: string): number =>
  text.match(/[\u3040-\u30ff\u3400-\u9fff]|[^\u3040-\u30ff\u3400-\u9fff\p{Z}\p{P}\p{C}]+/gu)?.length ?? 0

/** True when a page has a script that browsers run, not data. */
export const hasProgram = (page: Root): boolean =>
  find(
    page,
    (node) =>
      isElement(node, 'script') && /^(?:|module|(?:text|application)\/javascript)$/i.test(textAttribute(node, 'type')),
  ) !== undefined
