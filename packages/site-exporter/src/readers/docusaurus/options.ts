import { asData, asList, asText, isData, type Data } from '#site/data.ts'

export type DocsOptions = { id: string; options: Data }

const maxPlugins = 30

type Plugin = { name: string; options: Data }

/** Presets and plugins are names, or lists of a name and options. */
const readPlugins = (value: unknown): Plugin[] =>
  asList(value)
    .slice(0, maxPlugins)
    .flatMap((entry) => {
      const [name, options] = Array.isArray(entry) ? (entry as unknown[]) : [entry]
      return typeof name === 'string' ? [{ name, options: asData(options) }] : []
    })

const isClassic = ({ name }: Plugin) => /(^|[/-])(preset-)?classic$/.test(name)

export const listPlugins = (config: Data): Plugin[] =>
  [config['plugins'], config['themes'], config['presets']].flatMap(readPlugins)

/** Options for a kind of content, first of the preset and then of plugins. */
export const findOptions = (config: Data, part: 'docs' | 'blog' | 'pages' | 'theme'): Data[] => {
  const presets = readPlugins(config['presets'])
  const own = presets.filter(isClassic).flatMap(({ options }) => {
    const value = options[part]
    return value === false ? [] : [asData(value)]
  })
  const added = readPlugins(config['plugins']).filter(({ name }) => new RegExp(`plugin-content-${part}$`).test(name))
  return [...own, ...added.map(({ options }) => options)]
}

export const findDocs = (config: Data): DocsOptions[] =>
  findOptions(config, 'docs').map((options) => ({ id: asText(options['id']) ?? 'default', options }))

export type BarItem = { type: string; label: string; target: string; plugin: string }

export const readBar = (config: Data): BarItem[] =>
  asList(asData(asData(config['themeConfig'])['navbar'])['items']).flatMap((item) => listBarItems(item, 0))

const listBarItems = (item: unknown, depth: number): BarItem[] => {
  if (!isData(item) || depth > 3) return []
  const target = [item['sidebarId'], item['docId'], item['to']].map(asText).find((value) => value !== null)
  const label = asText(item['label'])
  const type = asText(item['type']) ?? 'link'
  const own = target && label ? [{ type, label, target, plugin: asText(item['docsPluginId']) ?? 'default' }] : []
  return [...own, ...asList(item['items']).flatMap((inner) => listBarItems(inner, depth + 1))]
}
