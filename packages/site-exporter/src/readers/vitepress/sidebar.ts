import { markWord } from '#site/words.ts'
import type { ReadNavigation } from '#readers/layout.ts'
import { createNavBuilder, isOutside } from '#readers/nav-builder.ts'
import type { BarEntry } from '#site/brand.ts'
import { asData, asList, asText } from '#site/data.ts'
import { toHumanName } from '#site/folder-tree.ts'
import type { FindPage } from '#site/page-paths.ts'
import type { NavNode } from '#site/source-page.ts'
import type { VitepressConfig } from './config.ts'

const maxDepth = 10

/** Reads VitePress sidebars. Several sidebars become sections, or tabs if no link in the top bar leads to them. */
export const readSidebars = (
  { sidebars, nav, bar }: Pick<VitepressConfig, 'sidebars' | 'nav'> & { bar: readonly BarEntry[] },
  find: FindPage,
): ReadNavigation => {
  const builder = createNavBuilder(find)
  const page = (link: string, base: string, title: string | null): NavNode[] => {
    if (isOutside(link)) return title ? builder.outside(title, link) : []
    const address = (link.startsWith('/') ? link : base + link).replace(/[?#].*$/s, '')
    return builder.page(address, address, title || null)
  }
  const items = (value: unknown, base: string, depth: number): NavNode[] =>
    depth > maxDepth ? [] : asList(value).flatMap((item) => entry(item, base, depth))
  const entry = (item: unknown, outer: string, depth: number): NavNode[] => {
    const fields = asData(item)
    const base = asText(fields['base']) ?? outer
    const [text, link] = [toPlainText(asText(fields['text'])), asText(fields['link'])]
    const own = link ? page(link, base, text) : []
    const inner = items(fields['items'], base, depth + 1)
    if (inner.length === 0) return own
    const isOpen = fields['collapsed'] !== true
    return text
      ? [{ kind: 'group', title: text, isTab: false, isOpen, children: [...own, ...inner] }]
      : [...own, ...inner]
  }
  const part = (sidebar: unknown): NavNode[] => {
    if (Array.isArray(sidebar)) return items(sidebar, '/', 0)
    const parts = Object.entries(asData(sidebar)).map(([prefix, content]): NavNode => {
      const base = asText(asData(content)['base']) ?? '/'
      const children = items(Array.isArray(content) ? content : asData(content)['items'], base, 0)
      const link = nav.find(({ link }) => link.startsWith(prefix))
      const isInBar = bar.some((item) =>
        ('links' in item ? item.links : [item]).some(({ href }) => href === link?.link),
      )
      return {
        kind: 'group',
        title: link?.text ?? readName(prefix),
        isTab: true,
        ...(isInBar && { facet: 'section' }),
        children,
      }
    })
    return parts.filter((node) => node.kind === 'group' && node.children.length > 0)
  }
  for (const { label, home, sidebar } of sidebars) {
    const children = part(sidebar)
    if (children.length === 0) continue
    if (find(home) === home && !builder.isPlaced(home)) children.unshift(...page(`/${home}`, '/', null))
    builder.read.nav.push(
      ...(label && sidebars.length > 1
        ? [{ kind: 'group' as const, title: label, isTab: true, facet: 'language' as const, children }]
        : children),
    )
  }
  return builder.read
}

const readName = (prefix: string) => toHumanName(prefix.split('/').findLast(Boolean) ?? markWord('home'))

const toPlainText = (text: string | null) => text && (text.replace(/<[^>]*>/g, '').trim() || null)
