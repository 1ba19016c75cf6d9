import { asData, asList, asText, isData, type Data } from '#site/data.ts'

/** Settings that pages, navigation or brand honour. `a.b` names one of a group whose others are not. */
const honoured = new Set(
  `$schema name description colors logo favicon navigation navbar footer banner background fonts appearance redirects
variables icons openapi api.openapi api.asyncapi api.examples api.url errors.404 seo.metatags seo.indexing search.prompt
contextual.options styling.codeblocks styling.eyebrows styling.latex`.split(/\s+/),
)

const reasons: Readonly<Record<string, string>> = {
  theme: 'copies have one layout',
  integrations: 'a copy sends nothing to other hosts',
  analytics: 'a copy sends nothing to other hosts',
  api: 'files cannot make calls',
  interaction: 'groups open with their pages',
  thumbnails: 'previews of pages are not drawn',
  feedback: 'files cannot take an answer',
  metadata: 'a copy does not know when a page was changed',
}

const maxLines = 60

/** Says each setting of a docs.json that is not honoured once, with the reason. */
export const listLeftOut = (data: Data): string[] =>
  [
    ...Object.entries(data).flatMap(([key, value]) => {
      const names =
        isData(value) && hasHonouredParts(key, value) ? Object.keys(value).map((part) => `${key}.${part}`) : [key]
      return honoured.has(key) ? [] : names.filter((name) => !honoured.has(name)).map((name) => describe(name, key))
    }),
    ...listOptions(data),
  ].slice(0, maxLines)

/** Groups whose settings are named one by one. */
const hasHonouredParts = (key: string, value: Data) =>
  key === 'integrations' || Object.keys(value).some((part) => honoured.has(`${key}.${part}`)) || key === 'api'

const describe = (name: string, key: string) =>
  `the setting \`${name.slice(0, 80)}\`: ${reasons[key] ?? 'copies do not know it'}`

/** Settings that are honoured with some of their values only. */
const listOptions = (data: Data): string[] => {
  const options = asList(asData(data['contextual'])['options'])
    .map((option) => asText(option) ?? asText(asData(option)['title']) ?? 'one without a name')
    .filter((option) => option !== 'copy' && option !== 'view')
  const code = asData(data['styling'])['codeblocks']
  const isKnownCode = code === undefined || code === 'system' || code === 'dark'
  const decoration = asData(data['background'])['decoration']
  const isKnownDecoration = decoration === undefined || /^(gradient|grid|windows|none)$/.test(asText(decoration) ?? '')
  return [
    ...(options.length > 0
      ? [`of the setting \`contextual.options\`, ${options.slice(0, 12).join(', ')}: a page has *Copy page* only`]
      : []),
    ...(isKnownCode ? [] : ['the setting `styling.codeblocks`: code has the colours of the page']),
    ...(isKnownDecoration ? [] : ['the setting `background.decoration`: copies know gradient, grid and windows']),
  ]
}
