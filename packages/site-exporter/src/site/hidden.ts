import { asData, asList, asText, isData } from './data.ts'

/** Reason why a page is hidden: it is in an export only if somebody asks for hidden pages. */
export type HiddenReason = 'draft' | 'hidden' | 'noindex' | 'outside the navigation' | 'for agents'

/** Reasons as half a sentence for the report. */
export const hiddenSentences: Readonly<Record<HiddenReason, string>> = {
  draft: 'it is a draft',
  hidden: 'it is marked as hidden, or is in a hidden part of the navigation',
  noindex: 'it asks not to be indexed',
  'outside the navigation': 'the navigation does not list it',
  'for agents': 'it is for coding agents, not for readers',
}

/** Reads what front matter says about the visibility of its page. Null: visible. */
export const readHidden = (data: Readonly<Record<string, unknown>>): HiddenReason | null => {
  if (isOn(data['draft']) || data['published'] === false) return 'draft'
  if (isOn(data['hidden']) || isOn(data['unlisted'])) return 'hidden'
  return asksForNoIndex(data) ? 'noindex' : null
}

/** `noindex`, `robots`, and both in `seo` and `metatags`, and as a tag in `head`. */
const asksForNoIndex = (data: Readonly<Record<string, unknown>>): boolean => {
  const seo = asData(data['seo'])
  const places = [data, seo, asData(data['metatags']), asData(seo['metatags'])]
  return (
    places.some((place) => isOn(place['noindex']) || isOn(place['noIndex']) || refuses(place['robots'])) ||
    asList(data['head']).some((tag) => {
      const attributes = asData(Array.isArray(tag) ? tag[1] : isData(tag) ? tag['attrs'] : null)
      return attributes['name'] === 'robots' && refuses(attributes['content'])
    })
  )
}

const isOn = (value: unknown) => value === true || value === 'true'
const refuses = (value: unknown) => /\b(?:noindex|none)\b/i.test(asText(value)?.slice(0, 200) ?? '')
