import type { SourceSite } from '#readers/source-site.ts'
import { listPages, type NavNode } from '#site/source-page.ts'
import { encodePart } from '#writer/addresses.ts'
import { toMarkdownFile } from './markdown-copy.ts'

/** `llms.txt`: the Markdown copies of the pages in the order of the navigation. Addresses are absolute on a public domain. */
export const llmsText = (site: SourceSite, base: string | null): string => {
  const entry = (path: string) => {
    const page = site.pages.get(path)
    if (!page) return []
    const file = toMarkdownFile(path).split('/').map(encodePart).join('/')
    const address = base === null ? file : `${base}/${file}`
    return [`- [${inBrackets(page.title)}](${address})${page.description ? `: ${page.description}` : ''}`]
  }
  const section = (node: NavNode): string[] => {
    if (node.kind === 'page') return entry(node.path)
    const entries = listPages(node).flatMap(entry)
    return entries.length === 0 ? [] : ['', `## ${node.title}`, '', ...entries]
  }
  const loose = site.nav.filter((node) => node.kind === 'page').flatMap(section)
  const sections = site.nav.filter((node) => node.kind === 'group').flatMap(section)
  const head = [`# ${site.name}`, '', ...(site.description === null ? [] : [`> ${site.description}`, ''])]
  return `${[...head, ...loose, ...sections].join('\n')}\n`
}

const inBrackets = (text: string) => text.replace(/[[\]\\]/g, String.raw`\$&`)
