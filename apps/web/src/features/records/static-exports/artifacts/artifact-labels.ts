import type { Artifact, FindingCounts, NotStoredReason, StoringPhase } from '@docket/api-types/artifacts'
import { formatBytes, formatCount, formatPlural } from '#lib/text/format.ts'

const reasons: Record<NotStoredReason, string> = {
  not_asked: 'Not stored',
  off: 'Not stored · switched off',
  not_shared: 'Not stored · no shared store',
  disk_full: 'Not stored · disk full',
  no_bundle: 'Not stored · the service has no bundle',
  too_large: 'Not stored · too large',
  not_an_archive: 'Not stored · not an archive',
  refused: 'Not stored · unsafe archive',
  failed: 'Not stored · storing failed',
  retention: 'Not stored · deleted by retention',
  deleted: 'Not stored · deleted',
  not_restored: 'Not stored · missing',
}

/** Reasons for which another try fails the same way. */
const final = new Set<Artifact['reason']>(['off', 'no_bundle', 'not_an_archive', 'refused'])

/** Reasons whose remedy also applies to an upload. */
const ofUploads = new Set<Artifact['reason']>(['disk_full', 'too_large', 'not_an_archive', 'refused', 'failed'])

/**
 * Why there is no copy, as a short label and as the server's message with a remedy. No service has an
 * `uploaded` bundle, so it cannot be stored again.
 */
export const describeMissingCopy = ({ reason, detail }: Pick<Artifact, 'reason' | 'detail'>, uploaded: boolean) => ({
  word: reasons[reason ?? 'failed'],
  message:
    uploaded && !ofUploads.has(reason)
      ? 'It was uploaded by hand, so no service has it. Upload the file again.'
      : detail,
  canStore: !uploaded && !final.has(reason),
})

/** Position of the bar at the start and the end of each phase. Per cent. */
const shares: Record<StoringPhase, readonly [number, number]> = {
  fetching: [0, 40],
  reading: [40, 55],
  checking: [55, 85],
  comparing: [85, 92],
  writing: [92, 100],
}

const phaseLabels: Record<StoringPhase, string> = {
  fetching: 'Fetching the bundle',
  reading: 'Reading its files',
  checking: 'Checking its pages',
  comparing: 'Comparing it with the export before',
  writing: 'Writing it to the store',
}

const nouns: Partial<Record<StoringPhase, string>> = { reading: 'files', checking: 'pages', comparing: 'pages' }

/** Progress of storing over all phases in per cent, null while unknown, and what Docket does now. */
export const describeStoringProgress = (
  progress: Artifact['progress'],
): { percent: number | null; words: string; amount: string | null } => {
  if (!progress) return { percent: null, words: 'Waiting to be stored', amount: null }
  const { phase, done, total } = progress
  const [from, to] = shares[phase]
  const part = total === null || total === 0 ? 0 : Math.min(1, done / total)
  const noun = nouns[phase]
  const amount = (count: number) => (noun === undefined ? formatBytes(count) : formatCount(count))
  const numbers = total === null ? done > 0 && amount(done) : `${amount(done)} of ${amount(total)}`
  return {
    percent: total === null && phase === 'fetching' ? null : from + (to - from) * part,
    words: phaseLabels[phase],
    amount: numbers === false ? null : [numbers, noun].filter(Boolean).join(' '),
  }
}

/** Breaks and leaks in words: `2 breaks, 3 leaks`. Null if there are none. */
const formatFindings = ({ breaks, leaks }: FindingCounts): string | null =>
  [breaks > 0 && formatPlural(breaks, 'break'), leaks > 0 && formatPlural(leaks, 'leak')].filter(Boolean).join(', ') ||
  null

export const describeCheck = (
  check: Artifact['check'],
): { tone: 'done' | 'failed' | 'attention' | 'idle'; words: string } => {
  if (!check) return { tone: 'idle', words: 'Not checked' }
  const { breaks } = check.findings
  const tone = breaks > 0 ? 'failed' : 'attention'
  const found = formatFindings(check.findings)
  if (check.state === 'not_finished') return { tone, words: found ? `${found} so far` : 'Not finished' }
  return found ? { tone, words: found } : { tone: 'done', words: 'No breaks, no leaks' }
}

/** Pages that differ, in words: `2 added, 1 changed`; `No page changed` for none. */
export const formatChanges = ({
  added,
  removed,
  changed,
  moved,
}: Pick<NonNullable<Artifact['change']>, 'added' | 'removed' | 'changed' | 'moved'>): string =>
  Object.entries({ added, removed, changed, moved })
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `${formatCount(count)} ${word}`)
    .join(', ') || 'No page changed'
