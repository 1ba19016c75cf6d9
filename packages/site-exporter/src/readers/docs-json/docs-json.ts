import { listKeys, maxNavigationDepth } from '#openapi/reading/docs-json-operations.ts'
import { type Facet, parseColor, readPair } from '#site/brand.ts'
import { asData, asText, isData, type Data } from '#site/data.ts'
import { findLanguageName, readLanguageTag } from '#site/language.ts'
import type { FindPage } from '#site/page-paths.ts'
import type { NavNode } from '#site/source-page.ts'
import { createNavBuilder } from '#readers/nav-builder.ts'
import type { SourceSite } from '#readers/source-site.ts'
import { findProblem } from '#readers/page-languages.ts'
import { readBrand } from './brand.ts'
import type { SourceFolder } from '@docket/sources/source-folder'
import { matchesIgnoreRules, readIgnoreRules } from '#readers/globs.ts'
import { plainLayout, type SiteLayout } from '#readers/layout.ts'
import { readText } from '#readers/read-text.ts'

export type DocsJson = Pick<SourceSite, 'description' | 'colors' | 'logo' | 'favicon' | 'brand' | 'nav'> & {
  name: string | null
  missing: string[]
}

const titles = 'group tab anchor dropdown version product item language title name'.split(' ')
const facets: ReadonlySet<string> = new Set<Facet>(['tab', 'anchor', 'dropdown', 'version', 'product', 'language'])
const isFacet = (kind: string): kind is Facet => facets.has(kind)

export const readDocsJson = (parsed: unknown, find: FindPage, file: string): DocsJson => {
  const data = asData(parsed)
  const builder = createNavBuilder(find)
  const problems: string[] = []

  const readNodes = (value: unknown, depth: number): NavNode[] => {
    if (depth > maxNavigationDepth) return []
    if (Array.isArray(value)) return putDefaultFirst(value).flatMap((item: unknown) => readNode(item, depth))
    if (!isData(value)) return []
    const first = asText(value['root'])
    return [...(first ? readNode(first, depth) : []), ...listKeys.flatMap((key) => readNodes(value[key], depth + 1))]
  }
  const readNode = (item: unknown, depth: number): NavNode[] => {
    if (typeof item === 'string') return builder.page(item, item, null)
    if (!isData(item)) return []
    const children = readNodes(item, depth + 1)
    const kind = titles.find((key) => asText(item[key]) !== null)
    const href = asText(item['href'])
    if (kind === undefined) return children
    const facet = isFacet(kind) && { facet: kind }
    // Entries without pages are links to other addresses.
    if (children.length === 0 && (!facet || href === null)) return []
    const lang = kind === 'language' ? readLanguageTag(item[kind]) : null
    if (kind === 'language' && lang === null) problems.push(findProblem({ lang: item[kind] })!)
    const title = (lang === null ? null : findLanguageName(lang)) ?? asText(item[kind])!
    const ends = children.length === 0 && href !== null && { href }
    const speaks = lang !== null && { lang }
    return [{ kind: 'group', title, isTab: isFacet(kind), children, ...facet, ...ends, ...speaks, ...readMarks(item) }]
  }

  const nav = readNodes(data['navigation'], 0)
  const brand = readBrand(data, file)
  const colors = asData(data['colors'])
  const primary = parseColor(colors['primary'])
  return {
    name: asText(data['name']),
    description: asText(data['description']),
    colors: { light: primary, dark: parseColor(colors['light']) ?? primary },
    logo: readPair(data['logo']),
    favicon: readPair(data['favicon']).light,
    brand: { ...brand, leftOut: [...brand.leftOut, ...new Set(problems)] },
    nav,
    missing: builder.read.missing,
  }
}

const putDefaultFirst = (items: readonly unknown[]): readonly unknown[] =>
  items.some((item) => asData(item)['default'] === true)
    ? items.toSorted((a, b) => Number(asData(b)['default'] === true) - Number(asData(a)['default'] === true))
    : items

const readMarks = (item: Data) => {
  const [tag, icon] = [asText(item['tag']), asText(item['icon']) ?? asText(asData(item['icon'])['name'])]
  return {
    ...(tag !== null && { tag: tag.slice(0, 40) }),
    ...(icon !== null && { icon }),
    ...(item['expanded'] === true && { isOpen: true }),
  }
}

const repositoryFiles =
  '/README.md /README.mdx /readme.md /readme.mdx /LICENSE.md /CHANGELOG.md /CONTRIBUTING.md /coverage/ /tmp/ /temp/'.split(
    ' ',
  )

export const openDocsJson = async (folder: SourceFolder, base: string): Promise<SiteLayout | null> => {
  if (base !== '' || !(folder.files.has('docs.json') || folder.files.has('mint.json'))) return null
  const own = readIgnoreRules(await readText(folder, '.mintignore'))
  return {
    ...plainLayout,
    kind: 'docs-json',
    reasonAgainst: (file) => (matchesIgnoreRules(own, file) ? '.mintignore names it' : null),
    reasonUnlessNamed: (file) =>
      matchesIgnoreRules(repositoryFiles, file) ? 'it is about the repository, and no entry names it' : null,
  }
}
