import { asData, asList, asText, escapeAttribute, isData, type Data } from './data.ts'

/** True for a page without sidebar and table of contents: `layout: home` of VitePress, `template: splash` of Starlight. */
export const isHome = (data: Data): boolean => data['layout'] === 'home' || data['template'] === 'splash'

/** Banner of a Starlight page, and body of a VitePress `layout: home` page or the hero of a Starlight page, as components. */
export const buildHomeBody = (data: Data): string => {
  const hero = asData(data['hero'])
  const banner = asText(asData(data['banner'])['content'])
  const above = banner === null ? '' : `<Banner>${banner.replace(/\s+/g, ' ').trim()}</Banner>`
  if (data['layout'] !== 'home' && !isData(data['hero'])) return above
  const name = asText(hero['name'])
  const text = asText(hero['text']) ?? asText(hero['title'])
  const features = asList(data['features']).map(renderFeature)
  const hasHero = [name, text, asText(hero['tagline']), ...asList(hero['actions'])].some((part) => part !== null)
  return [
    above,
    hasHero &&
      formatTag(
        'Hero',
        { name, text, tagline: asText(hero['tagline']) },
        renderImage(hero['image']) + renderActions(hero),
      ),
    features.length > 0 && `<CardGroup>\n${features.join('\n')}\n</CardGroup>`,
  ]
    .filter((part) => part !== false && part !== '')
    .map((part) => `${part}\n\n`)
    .join('')
}

export const readHomeTitle = (data: Data): string | null => {
  const { name, title } = asData(data['hero'])
  const words = asText(name) ?? asText(title)
  return words === null ? null : words.replace(/<[^<>]*>/g, ' ').trim() || null
}

const renderActions = (hero: Data) =>
  asList(hero['actions'])
    .map((action) => {
      const { text, link, theme, variant } = asData(action)
      const isFirst = theme === undefined ? (variant ?? 'primary') === 'primary' : theme === 'brand'
      // An action without a text shows its address, and one without an address only its text.
      return asText(text) === null && asText(link) === null
        ? ''
        : formatTag('LinkButton', { href: link, text, variant: isFirst ? 'primary' : 'secondary' }, '')
    })
    .join('')

const renderFeature = (value: unknown) => {
  const { title, details, link, icon, linkText } = asData(value)
  const drawing = asText(icon) ?? ''
  const isPicture = /<(?:svg|img|picture)\b/i.test(drawing)
  return formatTag(
    'Card',
    { title, description: details, href: link, cta: linkText, icon: isPicture ? null : nameIcon(drawing) },
    (isPicture ? drawing.replace(/\s+/g, ' ') : '') + renderImage(icon),
  )
}

/** Text of an icon, or the class that draws it with the styles of the site, such as `<i class="fas fa-rocket"></i>`. */
const nameIcon = (drawing: string) => {
  const text = drawing.replace(/<[^<>]*>/g, '').trim()
  if (text !== '' || drawing === '') return text
  const [, name = ''] = /\s(?:class|icon|name)\s*=\s*["']([^"'<>]{1,80})["']/i.exec(drawing) ?? []
  // A class that belongs to the site itself is not in any icon set.
  return /(?:^|\s)(?:fa|i|ti|mdi|lucide|octicon)-\w|:/.test(name) ? name : `${name || drawing.slice(1, 60)} (HTML)`
}

/** VitePress pictures have an address, Starlight pictures a file. Both may have a second picture for dark pages. */
const renderImage = (value: unknown): string => {
  const { src, file, light, dark, alt, html } = asData(value)
  if (typeof html === 'string') return html.replace(/\s+/g, ' ')
  const one = asText(typeof value === 'string' && /^[./]/.test(value) ? value : (src ?? file))
  if (one !== null) return formatTag('img', { src: one, alt: asText(alt) ?? '' }, null)
  return Object.entries({ light, dark })
    .map(([theme, address]) => {
      const source = asText(asData(address)['src']) ?? asText(address)
      return source === null
        ? ''
        : formatTag('img', { src: source, alt: asText(alt) ?? '', class: `${theme}-only` }, null)
    })
    .join('')
}

const formatTag = (name: string, attributes: Readonly<Record<string, unknown>>, content: string | null): string => {
  const texts = Object.entries(attributes).flatMap(([key, value]) =>
    typeof value === 'string' && (value !== '' || key === 'alt') ? [` ${key}="${escapeText(value)}"`] : [],
  )
  return `<${name}${texts.join('')}${content === null ? ' />' : `>${content}</${name}>`}`
}

const escapeText = (text: string) => escapeAttribute(text.replace(/<[^<>]*>/g, '')).replace(/\s+/g, ' ')
