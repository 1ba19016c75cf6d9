import type { ArtifactCheck, Finding, FindingLevel, FindingState } from '@docket/api-types/artifacts'
import { formatCount, formatPlural } from '#lib/text/format.ts'
import { hasKey } from '#lib/has-key.ts'
import type { Tone } from '#ui/marks/state-mark.tsx'

type LevelLabel = { word: string; one: string; count: (count: number) => string; hint: string; tone: Tone }

export const levelLabels: Record<FindingLevel, LevelLabel> = {
  breaks: {
    word: 'Broken',
    one: 'Broken',
    count: (count) => `${formatCount(count)} broken`,
    hint: 'Readers meet an error.',
    tone: 'failed',
  },
  leaks: {
    word: 'Outside requests',
    one: 'Outside request',
    count: (count) => formatPlural(count, 'outside request'),
    hint: 'Pages load files from other hosts.',
    tone: 'attention',
  },
  notes: {
    word: 'Hints',
    one: 'Hint',
    count: (count) => formatPlural(count, 'hint'),
    hint: 'Worth knowing.',
    tone: 'idle',
  },
}

/** Rules of hints about links that are broken in the author's own sources. */
export const sourceRules: ReadonlySet<string> = new Set([
  'report-broken-link',
  'report-broken-anchor',
  'report-missing-file',
])

/** Verdict on a bundle. A check that did not finish never looks clean. */
export const describeCheck = (check: ArtifactCheck | null): { tone: Tone; words: string } => {
  if (!check) return { tone: 'idle', words: 'Not checked' }
  if (check.state === 'not_finished') return { tone: 'attention', words: 'Not finished' }
  const { breaks, leaks } = check.findings
  if (breaks > 0) return { tone: 'failed', words: levelLabels.breaks.count(breaks) }
  return leaks > 0
    ? { tone: 'attention', words: levelLabels.leaks.count(leaks) }
    : { tone: 'done', words: 'Nothing broken, no outside requests' }
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
