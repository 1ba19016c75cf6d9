import { asData, asList, asText } from './data.ts'

/** Body of a VitePress `layout: home` page as components; `''` for others. */
export const homeBody = (data: Readonly<Record<string, unknown>>): string => {
  if (data['layout'] !== 'home') return ''
  const hero = asData(data['hero'])
  const actions = asList(hero['actions']).flatMap((action) => {
    const { text, link } = asData(action)
    return typeof text === 'string' && typeof link === 'string'
      ? [`<a href="${escaped(link)}">${escaped(text)}</a>`]
      : []
  })
  const features = asList(data['features']).map((feature) => {
    const { title, details, link } = asData(feature)
    const attributes = Object.entries({ title, description: details, href: link }).flatMap(([name, value]) =>
      typeof value === 'string' ? [`${name}="${escaped(value)}"`] : [],
    )
    return `<Card ${attributes.join(' ')}></Card>`
  })
  const name = asText(hero['name'])
  return [
    name && `<h1>${escaped(name)}</h1>`,
    ...[asText(hero['text']), asText(hero['tagline'])].map((text) => text && `<p>${escaped(text)}</p>`),
    actions.length > 0 && `<p>${actions.join(' · ')}</p>`,
    features.length > 0 && `<CardGroup>\n${features.join('\n')}\n</CardGroup>`,
    '',
  ]
    .filter((part) => part !== false)
    .join('\n\n')
}

const escaped = (text: string) =>
  text
    .replace(/<[^<>]*>/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replace(/\s+/g, ' ')
