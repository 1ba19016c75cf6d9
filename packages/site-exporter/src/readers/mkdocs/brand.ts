import { posix } from 'node:path'
import type { SourceFolder } from '@docket/sources/source-folder'
import { toLine } from '@docket/sources/text'
import { findFile } from '#readers/globs.ts'
import { readText } from '#readers/read-text.ts'
import { createFont, createHtmlText, plainBrand, formatSettingLine, type Brand, type Pair } from '#site/brand.ts'
import { asData, asList, asText, type Data, isData, listEntries, maxEntries } from '#site/data.ts'
import { readTexts } from './config.ts'

export type MkdocsProject = { config: Data; base: string; root: string; folder: SourceFolder }

/** `palette` is null for themes other than Material. */
export const readMkdocsBrand = async (project: MkdocsProject, palette: Palette | null): Promise<Brand> => {
  const { config, folder, base } = project
  const extra = asData(config['extra'])
  const repository = asText(config['repo_url'])
  const copyright = asText(config['copyright'])
  const announcement = await readAnnouncement(project)
  return {
    ...plainBrand,
    hasName: true,
    showsDescriptions: false,
    bar: repository === null ? [] : [{ label: nameRepository(config, repository), href: repository, icon: null }],
    barColor: palette?.bar ?? plainBrand.barColor,
    footer: {
      columns: [],
      socials: listEntries(extra['social']).flatMap((item) => {
        const { icon, name, link } = asData(item)
        const [glyph, href] = [asText(icon), asText(link)]
        const label = glyph === null ? toLine(name, 40) : posix.basename(glyph)
        return href === null || label === null ? [] : [{ name: label.slice(0, 40), href }]
      }),
      texts: copyright === null ? [] : [createHtmlText(copyright)],
    },
    banner: announcement.text === null ? null : { text: announcement.text, isDismissible: false, tone: 'info' },
    fonts: { heading: null, body: createFont(asData(asData(config['theme'])['font'])['text'], null, null) },
    appearance: palette?.appearance ?? plainBrand.appearance,
    editLink: readEditLink(config, repository),
    file: findFile(folder, base, 'mkdocs.{yml,yaml}') ?? '',
    leftOut: [...announcement.leftOut, ...listIgnoredSettings(config, palette !== null)],
  }
}

export const isMaterial = (config: Data): boolean => asText(asData(config['theme'])['name']) === 'material'

const hosts: Readonly<Record<string, { name: string; edit: string }>> = {
  'github.com': { name: 'GitHub', edit: 'edit/master/docs/' },
  'gitlab.com': { name: 'GitLab', edit: 'edit/master/docs/' },
  'bitbucket.org': { name: 'Bitbucket', edit: 'src/default/docs/' },
}

const findHost = (address: string) => {
  const host = URL.canParse(address) ? new URL(address).hostname.toLowerCase() : ''
  return Object.hasOwn(hosts, host) ? hosts[host]! : null
}

const nameRepository = (config: Data, repository: string) =>
  toLine(config['repo_name'], 60) ?? findHost(repository)?.name ?? 'Repository'

/** Material shows the link only if its feature is on. */
const readEditLink = (config: Data, repository: string | null): Brand['editLink'] => {
  const features = asList(asData(config['theme'])['features'])
  const template = asText(config['edit_uri_template'])
  const uri = asText(config['edit_uri']) ?? (repository === null ? null : findHost(repository)?.edit)
  if (repository === null || config['edit_uri'] === '') return null
  if (isMaterial(config) && !features.includes('content.action.edit')) return null
  const place = template?.replace(/\{path(![a-z])?\}/g, ':path') ?? (uri ? `${uri.replace(/\/*$/, '/')}:path` : null)
  if (place === null || /[{}]/.test(place)) return null
  // Addresses that begin with `?` or `#` follow the repository at once.
  const pattern = place.startsWith('https:')
    ? place
    : `${repository.replace(/\/+$/, '')}${/^[?#]/.test(place) ? '' : '/'}${place.replace(/^\/+/, '')}`
  return /^https:\/\/\S+$/.test(pattern) ? { pattern, text: null } : null
}

/** Announcement in an overriding template. Templates are not run, so only plain HTML is used. */
const readAnnouncement = async ({ config, base, folder }: MkdocsProject) => {
  const [place] = readTexts(asData(config['theme'])['custom_dir'])
  const template = place === undefined ? '' : await readText(folder, posix.join(base, place, 'main.html'))
  const block = /\{%-?\s*block announce\s*-?%\}([\s\S]{0,20000}?)\{%-?\s*endblock/.exec(template)?.[1] ?? ''
  const text = block.replace(/\{%-?\s*include "\.icons\/[^"\n]*"\s*-?%\}/g, '').trim()
  if (text === '') return { text: null, leftOut: [] }
  return /\{[%{]/.test(text)
    ? { text: null, leftOut: ['the announcement: its template would have to run'] }
    : { text: createHtmlText(text), leftOut: [] }
}

/** Plugins whose features the export provides itself, or that change no page. */
const knownPlugins =
  /^(material\/)?(search|blog|offline|privacy|minify|optimize|redirects|awesome-pages|awesome-nav|social|meta|info|group|projects|exclude|autorefs|section-index|mkdocstrings)$/

const listIgnoredSettings = (config: Data, hasPalette: boolean): string[] => {
  const theme = asData(config['theme'])
  const [extra, plugins] = [asData(config['extra']), config['plugins']]
  const names = Array.isArray(plugins)
    ? asList(plugins).flatMap((entry) => asText(entry) ?? Object.keys(asData(entry)))
    : Object.keys(asData(plugins))
  return [
    ...names
      .filter((name) => !knownPlugins.test(name))
      .map((name) =>
        formatSettingLine(
          `plugins.${name}`,
          name === 'macros' ? 'templates in pages stay as text' : 'plugins do not run',
        ),
      ),
    ...(asList(config['hooks']).length > 0 ? [formatSettingLine('hooks', 'programs do not run')] : []),
    ...(asList(config['extra_javascript']).length > 0
      ? [formatSettingLine('extra_javascript', 'scripts do not run')]
      : []),
    ...(asList(config['extra_css']).length > 0
      ? [formatSettingLine('extra_css', 'only colours are taken from it')]
      : []),
    ...(asText(asData(theme['icon'])['logo']) !== null && asText(theme['logo']) === null
      ? [formatSettingLine('theme.icon.logo', 'the name of the site takes its place')]
      : []),
    ...(hasPalette || theme['name'] === undefined
      ? []
      : [formatSettingLine('theme.name', 'the export has a look of its own')]),
    ...['analytics', 'alternate', 'consent', 'version']
      .filter((key) => extra[key] !== undefined)
      .map((key) => formatSettingLine(`extra.${key}`)),
  ].slice(0, maxEntries)
}

const colors: Readonly<Record<string, string>> = {
  red: '#ef5552',
  pink: '#e92063',
  purple: '#ab47bd',
  'deep-purple': '#7e56c2',
  indigo: '#4051b5',
  blue: '#2094f3',
  'light-blue': '#02a6f2',
  cyan: '#00bdd6',
  teal: '#009485',
  green: '#4cae4f',
  'light-green': '#8bc34b',
  lime: '#cbdc38',
  yellow: '#ffec3d',
  amber: '#ffc105',
  orange: '#ffa724',
  'deep-orange': '#ff6e42',
  brown: '#795649',
  grey: '#757575',
  'blue-grey': '#546d78',
  black: '#000000',
  white: '#ffffff',
}

type Palette = { accent: Pair; bar: Pair; appearance: Brand['appearance'] }

/** Reads `theme.palette`. `own` are the colours of the owner's style sheets, used for the colour name `custom`. */
export const readPalette = (theme: Data, own: Pair): Palette => {
  const given = theme['palette']
  const entries = (Array.isArray(given) ? asList(given) : [given]).filter(isData).slice(0, 10)
  const schemes = entries.filter((entry) => entry['scheme'] !== undefined || entry['primary'] !== undefined)
  const isDark = (entry: Data) => entry['scheme'] === 'slate'
  const light = schemes.find((entry) => !isDark(entry))
  const dark = schemes.find(isDark)
  const find = (kind: 'light' | 'dark', entry: Data) => {
    const name = (asText(entry['primary']) ?? 'indigo').replaceAll(' ', '-')
    return own[kind] ?? (Object.hasOwn(colors, name) ? colors[name]! : null)
  }
  const bar = { light: find('light', light ?? dark ?? {}), dark: find('dark', dark ?? light ?? {}) }
  // Links would not be distinguishable from the text.
  const toAccent = (color: string | null) => (color === '#000000' || color === '#ffffff' ? colors['indigo']! : color)
  return {
    accent: { light: toAccent(bar.light), dark: toAccent(bar.dark) },
    bar,
    appearance: {
      first: entries.some((entry) => asText(entry['media']) !== null)
        ? 'system'
        : isDark(asData(schemes[0]))
          ? 'dark'
          : 'light',
      isFixed: !(light && dark),
    },
  }
}
