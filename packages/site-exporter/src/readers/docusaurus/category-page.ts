import { asText, type Data } from '#site/data.ts'
import { readFrontMatter } from '#site/front-matter.ts'
import { safeSegment } from '#site/page-paths.ts'
import { listPages, type NavNode, type SourcePage } from '#site/source-page.ts'

type FindPage = (path: string) => SourcePage | undefined

/** Page that Docusaurus generates for a category: its description, and a card for each entry. `file` defines the category. */
export const categoryPage = (
  link: Data,
  label: string,
  address: string,
  { children, find, file }: { children: readonly NavNode[]; find: FindPage; file: string },
): SourcePage => {
  const { body: _, ...frontMatter } = readFrontMatter('')
  const description = asText(link['description'])
  const cards = children.flatMap((child) => toCard(child, find))
  return {
    ...frontMatter,
    path: address.split('/').filter(Boolean).map(safeSegment).join('/'),
    file,
    title: asText(link['title']) ?? label,
    sidebarTitle: 'Overview',
    description,
    isTitleFixed: true,
    body: `${description === null ? '' : `<p>{${JSON.stringify(description)}}</p>\n\n`}<CardGroup cols={2}>\n${cards.join('\n')}\n</CardGroup>\n`,
  }
}

const toCard = (node: NavNode, find: FindPage): string[] => {
  const [path] = listPages(node)
  const page = path === undefined ? undefined : find(path)
  if (!page) return []
  const isPage = node.kind === 'page'
  const properties = {
    title: isPage ? (page.sidebarTitle ?? page.title) : node.title,
    href: `/${page.path}`,
    description: isPage ? page.description : `${listPages(node).length} items`,
  }
  const attributes = Object.entries(properties).map(([name, value]) =>
    value ? `${name}={${JSON.stringify(value)}}` : '',
  )
  return [`<Card ${attributes.join(' ')} />`]
}
