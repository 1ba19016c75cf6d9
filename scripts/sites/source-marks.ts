import type { Fault } from './faults.ts'

/** What documentation tools read, and readers must not: tags, components, blocks, templates, modules and comments. */
const marks = [
  /<\/[A-Za-z][\w.-]*>|<[A-Za-z][\w.-]*\s+[\w:-]+=/,
  /^\s*(?::::|```|~~~|(?:!!!|\?\?\?)\+? ?[a-z])/,
  /\{%|\{\{|\{\/\*|<!--/,
  /^\s*(?:import\s.+\sfrom\s+['"]|export\s+(?:const|default|function)\s)/,
  /--8<--|@include:|\{\{#include/,
]

/** Texts of a page that show the notation of its source in place of its meaning. */
export const sourceFaults = (page: string, texts: readonly string[]): Fault[] =>
  texts
    .filter((text) => marks.some((mark) => mark.test(text)))
    .map((text) => ({ page, kind: 'source', what: text.replace(/\s+/g, ' ').trim().slice(0, 90) }))
