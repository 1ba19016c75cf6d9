import type { Finding, FindingLevel, FindingState } from '@docket/api-types/artifacts'
import { hasKey } from '#lib/has-key.ts'
import type { Tone } from '#ui/marks/state-mark.tsx'

export const levelLabels: Record<FindingLevel, { word: string; one: string; hint: string; tone: Tone }> = {
  breaks: { word: 'Breaks', one: 'Break', hint: 'Readers meet an error.', tone: 'failed' },
  leaks: { word: 'Leaks', one: 'Leak', hint: 'Pages ask another host.', tone: 'attention' },
  notes: { word: 'Notes', one: 'Note', hint: 'Worth knowing.', tone: 'idle' },
}

export const stateLabels: Record<FindingState, string> = { new: 'New', same: 'Same as before', gone: 'Gone' }

export const seenByLabels: Record<Finding['seenBy'], string | null> = {
  check: null,
  preview: 'Seen in a preview',
  report: 'Reported by the service',
}

const ruleNames: Readonly<Record<string, string>> = {
  'beside-site': 'Link beside the site',
  'form-target': 'Form without a file',
  mount: 'Fixed location',
  'no-not-found-page': 'No 404 page',
  'outside-call': 'Outside request',
  'outside-hint': 'Early connection',
  'own-address': 'Link to the published site',
  'sitemap-entry': 'Missing page in the site map',
}

/** Name of a rule for the page: `missing-page` is *Missing page*. Rules of the service’s own report begin with `report-`. */
export const formatRule = (rule: string): string => {
  const words = rule
    .replace(/^report-/, '')
    .replaceAll('-', ' ')
    .trim()
  return hasKey(ruleNames, rule) ? ruleNames[rule]! : words.charAt(0).toUpperCase() + words.slice(1)
}
