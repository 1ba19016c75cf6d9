import type { Artifact, FindingCounts } from '@docket/api-types/artifacts'
import type { StaticExport } from '@docket/api-types/static-exports'
import { formatCount, formatPlural } from '#lib/text/format.ts'
import type { Tone } from '#ui/marks/state-mark.tsx'

type Label = { tone: Tone; word: string }

export const isStoringBundle = ({ artifact }: Pick<StaticExport, 'artifact'>): boolean => artifact?.state === 'storing'

export const labelWorstFindings = ({ breaks, leaks }: FindingCounts): Label | null => {
  if (breaks > 0) return { tone: 'failed', word: `${formatCount(breaks)} broken` }
  return leaks > 0 ? { tone: 'attention', word: formatPlural(leaks, 'outside request') } : null
}

/** Settings of the installation, which every export would repeat. */
const quiet = new Set<Artifact['reason']>(['off', 'not_shared'])

/** Tone and words of what the check of an export found, or why there is no result, such as `3 outside requests`. Null where there is nothing to say. */
export const labelFindings = ({ artifact }: Pick<StaticExport, 'artifact'>): Label | null => {
  if (!artifact || quiet.has(artifact.reason)) return null
  const { state, check } = artifact
  if (state === 'storing') return { tone: 'live', word: 'Saving' }
  if (state === 'not_stored')
    return artifact.reason === 'disk_full'
      ? { tone: 'attention', word: 'Not saved · disk full' }
      : { tone: 'idle', word: 'Not saved' }
  if (!check) return null
  const worst = labelWorstFindings(check.findings)
  // A stopped check does not prove the bundle clean.
  if (check.state === 'not_finished')
    return worst ? { ...worst, word: `${worst.word} so far` } : { tone: 'attention', word: 'Check not finished' }
  const { notes } = check.findings
  return worst ?? (notes > 0 ? { tone: 'idle', word: formatPlural(notes, 'hint') } : null)
}
