import type { Artifact, FindingCounts } from '@docket/api-types/artifacts'
import type { StaticExport } from '@docket/api-types/static-exports'
import { formatPlural } from '#lib/text/format.ts'
import type { Tone } from '#ui/marks/state-mark.tsx'

export const isStoringBundle = ({ artifact }: Pick<StaticExport, 'artifact'>): boolean => artifact?.state === 'storing'

export const labelWorstFindings = ({ breaks, leaks }: FindingCounts): { tone: Tone; word: string } | null => {
  if (breaks > 0) return { tone: 'failed', word: formatPlural(breaks, 'break') }
  return leaks > 0 ? { tone: 'attention', word: formatPlural(leaks, 'leak') } : null
}

/** Settings of the installation, which every export would repeat. */
const quiet = new Set<Artifact['reason']>(['off', 'not_shared'])

/** Tone and words of Docket's copy for a row, such as `Stored · 3 leaks`. Null without a copy, where the installation keeps none. */
export const labelStoredCopy = ({ artifact }: Pick<StaticExport, 'artifact'>): { tone: Tone; word: string } | null => {
  if (!artifact || quiet.has(artifact.reason)) return null
  const { state, check } = artifact
  if (state === 'storing') return { tone: 'live', word: 'Storing' }
  if (state === 'not_stored')
    return artifact.reason === 'disk_full'
      ? { tone: 'attention', word: 'Not stored · disk full' }
      : { tone: 'idle', word: 'Not stored' }
  const worst = check && labelWorstFindings(check.findings)
  // A stopped check does not prove the bundle clean.
  if (check?.state === 'not_finished')
    return {
      tone: worst?.tone ?? 'attention',
      word: `Stored · ${worst ? `${worst.word} so far` : 'check not finished'}`,
    }
  return worst ? { tone: worst.tone, word: `Stored · ${worst.word}` } : { tone: 'done', word: 'Stored' }
}
