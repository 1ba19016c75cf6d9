import type { Delivery, DryRun, Target, TargetSettings } from '@docket/api-types/targets'
import { formatBytes, formatCount, formatDuration, formatPlural } from '#lib/text/format.ts'
import type { Tone } from '#ui/marks/state-mark.tsx'

type Kind = TargetSettings['kind']

export const kindLabels: Record<Kind, string> = { folder: 'Folder', s3: 'S3', git: 'Git', sftp: 'SFTP' }

const places: { [K in Kind]: (settings: Extract<TargetSettings, { kind: K }>) => string } = {
  folder: ({ path }) => path,
  s3: ({ endpoint, bucket, prefix }) =>
    `s3://${bucket}${prefix && `/${prefix}`}${endpoint === null ? '' : ` at ${endpoint}`}`,
  git: ({ url, branch, folder }) => `${folder && `folder ${folder} of `}branch ${branch} of ${url}`,
  sftp: ({ host, port, user, folder }) => `${user}@${host}:${folder}${port === 22 ? '' : `, port ${port}`}`,
}

/** Location of a target: `s3://docs/handbook`, `web@host:public`, `branch gh-pages of https://…`. */
export const describePlace = <K extends Kind>(settings: Extract<TargetSettings, { kind: K }>): string =>
  (places[settings.kind] as (settings: Extract<TargetSettings, { kind: K }>) => string)(settings)

export const isDeliveryUnderWay = (delivery: Delivery | null): boolean =>
  delivery?.state === 'waiting' || delivery?.state === 'running'

/** True when a delivery of the bundle `sha256` to the target will begin by itself. */
export const isDeliveryAwaited = ({ onRelease, last }: Target, sha256: string | null): boolean =>
  onRelease && sha256 !== null && last?.sha256 !== sha256

/** Names a release by its number, or by its checksum once it is deleted. */
export const nameRelease = ({ releaseNumber, sha256 }: Pick<Delivery, 'releaseNumber' | 'sha256'>): string =>
  releaseNumber === null ? `bundle ${sha256.slice(0, 12)}` : `release ${formatCount(releaseNumber)}`

/** Words for a kind of delivery. `title` and `doing` go on with a release, `notBegun` with the name of the target. */
type DeliveryLabels = Record<'title' | 'doing' | 'failed' | 'again' | 'notBegun', string>

export const deliveryKinds: Record<Delivery['kind'], DeliveryLabels> = {
  delivery: {
    title: 'Delivery of',
    doing: 'Delivering',
    failed: 'The delivery failed',
    again: 'Deliver again',
    notBegun: 'Nothing is delivered to',
  },
  take_back: {
    title: 'Return to',
    doing: 'Going back to',
    failed: 'The last delivery was not taken back',
    again: 'Take back again',
    notBegun: 'Nothing is taken back from',
  },
  verification: {
    title: 'Verification of',
    doing: 'Verifying',
    failed: 'The verification failed',
    again: 'Verify again',
    notBegun: 'Nothing is verified at',
  },
}

export const deliveryStates: Record<Delivery['state'], { tone: Tone; word: string }> = {
  waiting: { tone: 'waiting', word: 'Waiting' },
  running: { tone: 'live', word: 'Running' },
  done: { tone: 'done', word: 'Done' },
  failed: { tone: 'failed', word: 'Failed' },
  replaced: { tone: 'idle', word: 'Replaced by a later one' },
}

type Phase = NonNullable<Delivery['phase']>

const createAmountPrinter = (unit: (count: number) => string) => (done: number, total: number | null) =>
  total === null ? unit(done) : `${unit(done)} of ${unit(total)}`

const phases: Record<Phase, { words: string; amount: (done: number, total: number | null) => string }> = {
  comparing: { words: 'Comparing with what is there', amount: () => '' },
  sending: { words: 'Sending files', amount: createAmountPrinter(formatBytes) },
  verifying: { words: 'Reading files back', amount: createAmountPrinter(formatBytes) },
  switching: { words: 'Switching to the new files', amount: () => '' },
  waiting: {
    words: 'Waiting before old files go',
    amount: (done, total) => (total === null ? '' : `${formatDuration(Math.max(0, total - done) * 1000)} left`),
  },
  removing: { words: 'Removing old files', amount: createAmountPrinter(formatCount) },
}

/** Current step of a running delivery. `percent`: 0 to 100, or null while unknown. */
export const describeProgress = (delivery: Delivery): { percent: number | null; words: string; amount: string } => {
  const { state, phase, done, total, problem } = delivery
  if (state === 'waiting')
    return {
      percent: null,
      words: problem === null ? 'Waiting for its turn' : 'Waiting for another attempt',
      amount: '',
    }
  if (phase === null) return { percent: null, words: 'Beginning', amount: '' }
  const { words, amount } = phases[phase]
  const percent = done === null || total === null || total === 0 ? null : Math.min(100, (100 * done) / total)
  return { percent, words, amount: done === null ? '' : amount(done, total) }
}

/** Files that a delivery changed: `3 files added, 1 changed`. Null while unknown. */
export const describeFiles = ({ kind, added, changed, removed }: Delivery): string | null => {
  if (added === null && changed === null && removed === null) return null
  const isVerification = kind === 'verification'
  const counts: [number | null, string][] = [
    [isVerification ? 0 : added, 'added'],
    [changed, isVerification ? 'changed there' : 'changed'],
    [removed, isVerification ? 'missing' : 'removed'],
    [isVerification ? added : 0, 'not delivered by Docket'],
  ]
  return (
    counts
      .filter(([count]) => (count ?? 0) > 0)
      .map(([count, word], nth) => `${nth === 0 ? formatPlural(count ?? 0, 'file') : formatCount(count ?? 0)} ${word}`)
      .join(', ') || (isVerification ? 'every file is as delivered' : 'no file changed')
  )
}

export const hasFoundDamage = ({ kind, state, added, changed, removed }: Delivery): boolean =>
  kind === 'verification' && state === 'done' && (added ?? 0) + (changed ?? 0) + (removed ?? 0) > 0

export const isUnchangedDelivery = ({ added, changed, removed }: DryRun): boolean =>
  added.count + changed.count + removed.count === 0

export const describeDeliveryNews = (before: Target | undefined, { name, last }: Target): string | null => {
  const was = before?.last ?? null
  if (before === undefined || last === null) return null
  if (last.deliveryId === was?.deliveryId && last.state === was.state) return null
  const { title, failed } = deliveryKinds[last.kind]
  if (last.state === 'failed') return `${name}: ${failed}`
  if (hasFoundDamage(last)) return `${name}: ${describeFiles(last)}`
  return last.state === 'done' ? `${name}: ${title} ${nameRelease(last)} done` : null
}
