import type { AgentJob } from '@docket/api-types/agent-jobs'
import type { StaticExport } from '@docket/api-types/static-exports'
import { describeJobState, formatJobTitle } from '#features/records/agent-jobs/job-state.ts'
import { describeExportState, formatDomain, isRunningExport } from '#features/records/static-exports/export-state.ts'
import type { Tone } from '#ui/marks/state-mark.tsx'

const maxLength = 80

/** Text for a tab: one line without control and direction characters, cut at 80 characters. */
export const cleanTitle = (text: string): string => {
  // Joiners are part of words and emoji.
  const line = text
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/(?![\u{200C}\u{200D}])[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu, '')
    .trim()
  return line.length > maxLength ? `${line.slice(0, maxLength - 1).replace(/\p{Cs}$/u, '')}…` : line
}

const needsPerson = (tone: Tone) => tone === 'failed' || tone === 'attention'

/** Title of an export's page: its percentage or word while it runs, its word when it needs a person, and its domain. */
export const formatExportTitle = (row: StaticExport): string => {
  const { tone, word } = describeExportState(row)
  const domain = cleanTitle(formatDomain(row))
  if (isRunningExport(row))
    return `${row.progress === null ? cleanTitle(word) : `${Math.floor(row.progress)} %`} · ${domain}`
  return needsPerson(tone) ? `${word} · ${domain}` : domain
}

export const formatJobTabTitle = (job: AgentJob): string => {
  const { tone, word } = describeJobState(job)
  return [needsPerson(tone) && word, cleanTitle(formatJobTitle(job)) || 'Agent job'].filter(Boolean).join(' · ')
}
