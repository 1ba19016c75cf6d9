import type { ArtifactCheck, Finding, FindingLevel, FindingState } from '@docket/api-types/artifacts'
import { hasKey } from '#lib/has-key.ts'
import { capitalize, formatPlural } from '#lib/text/format.ts'
import type { Tone } from '#ui/marks/state-mark.tsx'

export const levelLabels: Record<FindingLevel, { word: string; one: string; hint: string; tone: Tone }> = {
  breaks: { word: 'Broken', one: 'Broken', hint: 'Readers meet an error.', tone: 'failed' },
  leaks: {
    word: 'Outside requests',
    one: 'Outside request',
    hint: 'Pages load files from other hosts.',
    tone: 'attention',
  },
  notes: { word: 'Hints', one: 'Hint', hint: 'Worth knowing.', tone: 'idle' },
}

/** Such as `2 broken`, `1 outside request`. */
export const formatLevel = (level: FindingLevel, count: number): string => {
  const { one, word } = levelLabels[level]
  return formatPlural(count, one.toLowerCase(), word.toLowerCase())
}

/** Rules of hints about links that are broken in the author's own sources. */
export const sourceRules = ['report-broken-link', 'report-broken-anchor', 'report-missing-file']

/** Verdict on a bundle in which nothing broken and no outside request was found. A check that did not finish never looks clean. */
export const describeCheck = (check: ArtifactCheck | null): { tone: Tone; words: string } => {
  if (!check) return { tone: 'idle', words: 'Not checked' }
  return check.state === 'finished'
    ? { tone: 'done', words: 'Nothing broken, no outside requests' }
    : { tone: 'attention', words: 'Not finished' }
}

export const stateLabels: Record<FindingState, string> = { new: 'New', same: 'Same as before', gone: 'Gone' }

export const seenByLabels: Record<Finding['seenBy'], string | null> = {
  check: null,
  preview: 'Seen in a preview',
  report: 'From the export report',
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
  return hasKey(ruleNames, rule) ? ruleNames[rule]! : capitalize(words)
}
