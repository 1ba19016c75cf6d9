import type { Artifact, NotStoredReason, StoringPhase } from '@docket/api-types/artifacts'
import { formatBytes, formatCount } from '#lib/text/format.ts'

const reasons: Record<NotStoredReason, string> = {
  not_asked: 'Not saved',
  off: 'Not saved · switched off',
  not_shared: 'Not saved · no shared store',
  disk_full: 'Not saved · disk full',
  no_bundle: 'Not saved · the service has no bundle',
  too_large: 'Not saved · too large',
  not_an_archive: 'Not saved · not an archive',
  refused: 'Not saved · unsafe archive',
  failed: 'Not saved · saving failed',
  retention: 'Not saved · deleted by retention',
  deleted: 'Not saved · deleted',
  not_restored: 'Not saved · missing',
}

/** Reasons for which another try fails the same way. */
const final = new Set<Artifact['reason']>(['off', 'no_bundle', 'not_an_archive', 'refused'])

/** Reasons whose remedy also applies to an upload. */
const ofUploads = new Set<Artifact['reason']>(['disk_full', 'too_large', 'not_an_archive', 'refused', 'failed'])

/** Why there is no copy: a short label, and the server's message with a remedy. An `uploaded` bundle can't be stored again. */
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
export const describeStoringProgress = ({
  progress,
  madePortable = false,
}: Pick<Artifact, 'progress' | 'madePortable'>): { percent: number | null; words: string; amount: string | null } => {
  if (!progress) return { percent: null, words: 'Waiting to be saved', amount: null }
  const { phase, done, total } = progress
  const [from, to] = shares[phase]
  const part = total === null || total === 0 ? 0 : Math.min(1, done / total)
  const isMaking = madePortable && phase === 'fetching'
  const noun = isMaking ? 'pages' : nouns[phase]
  const amount = (count: number) => (noun === undefined ? formatBytes(count) : formatCount(count))
  const numbers = total === null ? done > 0 && amount(done) : `${amount(done)} of ${amount(total)}`
  return {
    percent: total === null && phase === 'fetching' ? null : from + (to - from) * part,
    words: isMaking ? 'Making the site portable' : phaseLabels[phase],
    amount: numbers === false ? null : [numbers, noun].filter(Boolean).join(' '),
  }
}
