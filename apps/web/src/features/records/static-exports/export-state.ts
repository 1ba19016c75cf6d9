import type { Artifact, FindingCounts } from '@docket/api-types/artifacts'
import type { StaticExport } from '@docket/api-types/static-exports'
import { linkOptions } from '@tanstack/react-router'
import { capitalize, formatCount, formatPlural, isolateDomain } from '#lib/text/format.ts'
import type { Tone } from '#ui/marks/state-mark.tsx'

type Running = Pick<StaticExport, 'state' | 'goneAt' | 'removedAt' | 'isWatched'>

export const isRunningExport = (row: Running): boolean =>
  (row.state === 'starting' || row.state === 'accepted') &&
  row.goneAt === null &&
  !row.removedAt &&
  row.isWatched !== false

export const isCancelledExport = ({ state, reason }: Pick<StaticExport, 'state' | 'reason'>): boolean =>
  state === 'failed' && reason === 'cancelled'

export const formatDomain = (row: Pick<StaticExport, 'domain' | 'domainUnicode'>): string =>
  isolateDomain(row.domainUnicode ?? row.domain)

/** Tone and word of an export. A running one has the service's own word. */
export const describeExportState = (
  row: Pick<StaticExport, 'state' | 'status' | 'goneAt' | 'replacedBy' | 'reason' | 'isWatched' | 'isUnrecognised'>,
): { tone: Tone; word: string } => {
  if (row.goneAt !== null && row.state !== 'completed') return { tone: 'attention', word: 'Not found on service' }
  if (row.isWatched === false && (row.state === 'accepted' || row.state === 'starting'))
    return { tone: 'idle', word: 'Not watched' }
  switch (row.state) {
    case 'starting':
      return { tone: 'waiting', word: 'Starting' }
    case 'accepted':
      return row.status === null || row.status === 'queued'
        ? { tone: 'waiting', word: row.status === null ? 'Accepted' : 'Queued' }
        : { tone: row.isUnrecognised ? 'attention' : 'live', word: capitalize(row.status.replaceAll('_', ' ')) }
    case 'completed':
      return { tone: 'done', word: 'Completed' }
    case 'failed':
      return isCancelledExport(row) ? { tone: 'idle', word: 'Cancelled' } : { tone: 'failed', word: 'Failed' }
    case 'refused':
      return { tone: 'failed', word: 'Refused' }
    case 'unknown':
      return row.replacedBy ? { tone: 'idle', word: 'Started again' } : { tone: 'attention', word: 'Unknown outcome' }
  }
}

/** Verb for `startedAt`, because the service never started a refused export, and may not have started one of unknown outcome. */
export const chooseStartVerb = (row: Pick<StaticExport, 'state' | 'imported' | 'jobId'>): string => {
  if (row.imported) return row.jobId === null ? 'Uploaded' : 'Added'
  return row.state === 'refused' || row.state === 'unknown' ? 'Requested' : 'Started'
}

export const formatExportFigures = (row: StaticExport): string[] => {
  const figures: string[] = []
  if (row.progress !== null && isRunningExport(row)) figures.push(`${Math.floor(row.progress)} %`)
  const pages = row.pageCount ?? row.artifact?.pages ?? null
  if (pages !== null) figures.push(formatPlural(pages, 'page'))
  return figures
}

/** True for an uploaded bundle that Docket has not stored. No service has it either. */
export const lacksAnyCopy = ({ state, jobId, artifact }: StaticExport): boolean =>
  state === 'completed' && jobId === null && (artifact?.state === 'storing' || artifact?.state === 'not_stored')

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

export const buildExportLink = (exportId: string) => linkOptions({ to: '/exports/$exportId', params: { exportId } })
