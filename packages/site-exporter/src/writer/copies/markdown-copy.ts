import type { Root } from 'hast'
import type { SourcePage } from '#site/source-page.ts'
import { formatMarkdown } from './format-markdown.js'

export const toMarkdownFile = (path: string) => `${path}.md`

/** Copy of a page, including its title and description, which are not part of its text. */
export const formatMarkdownCopy = ({ description }: SourcePage, title: string, text: string): string =>
  `# ${title}\n\n${description ? `> ${description}\n\n` : ''}${text}`

/** Markdown of a rendered page without its title. Links lead to Markdown copies. */
export const toMarkdownText = (tree: Root): string => formatMarkdown(tree.children, toCopyHref)

const toCopyHref = (href: string) => href.replace(/^([^:#?]*)\.html(?=#|$)/, '$1.md')
