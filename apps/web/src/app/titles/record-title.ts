import type { AgentJob } from '@docket/api-types/agent-jobs'
import type { StaticExport } from '@docket/api-types/static-exports'
import { jobState, formatJobTitle } from '#features/records/agent-jobs/job-state.ts'
import { exportState, formatDomain, isRunning } from '#features/records/static-exports/export-state.ts'
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

const isTrouble = (tone: Tone) => tone === 'failed' || tone === 'attention'

/** Title of an export's page: its percentage or word while it runs, its word when it needs a person, and its domain. */
export const exportTitle = (row: StaticExport): string => {
  const { tone, word } = exportState(row)
  const domain = cleanTitle(formatDomain(row))
  if (isRunning(row)) return `${row.progress === null ? cleanTitle(word) : `${Math.floor(row.progress)} %`} · ${domain}`
  return isTrouble(tone) ? `${word} · ${domain}` : domain
}

export const jobTitle = (job: AgentJob): string => {
  const name = [formatJobTitle(job), job.id].map(cleanTitle).find((text) => text !== '')
  const { tone, word } = jobState(job)
  return [isTrouble(tone) && word, name ?? 'Agent job'].filter(Boolean).join(' · ')
}
