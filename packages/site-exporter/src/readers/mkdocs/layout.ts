import { posix } from 'node:path'
import type { SourceFolder } from '@docket/sources/source-folder'
import { matchesIgnoreRules, readIgnoreRules } from '#readers/globs.ts'
import { plainLayout, type SiteLayout } from '#readers/layout.ts'
import { readStyleColor } from '#readers/style-colors.ts'
import type { DeclaredLanguage } from '#site/language.ts'
import { asData, asList, asText, trimSlashes, type Data } from '#site/data.ts'
import { isMaterial, readMkdocsBrand, readPalette } from './brand.ts'
import { findOptions, readMkdocsConfig, readTexts } from './config.ts'
import { readMkdocsNavigation, readPagesFiles } from './navigation.ts'

export const openMkdocs = async (folder: SourceFolder, base: string): Promise<SiteLayout | null> => {
  const config = await readMkdocsConfig(folder, base)
  if (!config) return null
  const root = `${posix.join(base, asText(config['docs_dir']) ?? 'docs')}/`
  if (root.startsWith('..')) return null
  const excluded = [config['exclude_docs'], config['draft_docs']].flatMap((rules) =>
    readIgnoreRules(asText(rules) ?? ''),
  )
  const theme = asData(config['theme'])
  const place = (value: unknown) => {
    const path = asText(value)
    return path !== null && folder.files.has(root + path) ? root + path : null
  }
  const logo = place(theme['logo'])
  const snippets = findOptions(config['markdown_extensions'], 'pymdownx.snippets')
  const bases = readTexts(snippets?.['base_path'])
  const redirects = asData(findOptions(config['plugins'], 'redirects')?.['redirect_maps'])
  const arranged = findOptions(config['plugins'], 'awesome-pages') ?? findOptions(config['plugins'], 'awesome-nav')
  const pagesFiles = arranged ? await readPagesFiles(folder, root) : null
  const styles = readTexts(config['extra_css']).map((name) => posix.join(root, name))
  const palette = isMaterial(config)
    ? readPalette(theme, await readStyleColor(folder, styles, '--md-primary-fg-color'))
    : null
  return {
    ...plainLayout,
    kind: 'mkdocs',
    dialect: 'mkdocs',
    root,
    reasonAgainst: (file) => (matchesIgnoreRules(excluded, file.slice(root.length)) ? 'exclude_docs names it' : null),
    toPageName: (file) => (file.startsWith(root) && /\.md$/i.test(file) ? file.slice(root.length) : null),
    title: asText(config['site_name']),
    description: asText(config['site_description']),
    languages: readLanguages(config),
    logo: { light: logo, dark: logo },
    favicon: place(theme['favicon']),
    colors: palette?.accent ?? plainLayout.colors,
    brand: await readMkdocsBrand({ config, base, root, folder }, palette),
    published: [root, ...readTexts(theme['custom_dir']).map((name) => `${posix.join(base, name)}/`)],
    redirects: new Map(
      Object.entries(redirects).flatMap(([from, to]): [string, string][] => {
        const target = asText(to)
        if (target === null) return []
        return [[toAddress(from), /^[a-z]+:/i.test(target) ? target : `/${target.replace(/^\/+/, '')}`]]
      }),
    ),
    snippets: {
      folders: bases.length > 0 ? bases.map((name) => posix.join(base, name)) : [base],
      appended: readTexts(snippets?.['auto_append']),
    },
    readNavigation: (pages, find) => readMkdocsNavigation(config['nav'], { pages, find }, pagesFiles, hasTabs(theme)),
  }
}

/** Material shows the first level of the navigation as tabs if the feature is on. */
const hasTabs = (theme: Data) => asList(theme['features']).includes('navigation.tabs')

/** Languages of the theme, and of the other sites that `extra.alternate` links to by their folders. */
const readLanguages = (config: Data): DeclaredLanguage[] => {
  const theme = asData(config['theme'])
  const others = asList(asData(config['extra'])['alternate']).flatMap((entry): DeclaredLanguage[] => {
    const { link, lang } = asData(entry)
    const folder = /([^/]+)\/?$/.exec(asText(link) ?? '')?.[1]
    return folder === undefined || lang === undefined ? [] : [{ prefix: `${folder}/`, lang }]
  })
  return [...others, { prefix: '', lang: theme['language'] ?? theme['locale'], dir: theme['direction'] }]
}

const toAddress = (file: string) => trimSlashes(file.replace(/\.md$/i, '').replace(/(^|\/)index$/i, ''))
