import { formatBytes, formatCount } from '#lib/text/format.ts'
import { maxInputLength, parseJobReferences, type JobReference } from './parse-job-references.ts'

export const maxJobs = 50
const maxLines = 200

export type UnreadableLine = Extract<JobReference, { kind: 'unreadable' }>

/** Lines for the box, the number of jobs they name, the other lines, and the reason why the whole file was refused, or null. */
type JobFile = { text: string; jobs: number; unreadable: readonly UnreadableLine[]; problem: string | null }

const decodeText = (bytes: ArrayBuffer): string | null => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

/** Reads a text or CSV file with jobs. Takes all of it or nothing. */
export const readJobFile = async (file: File): Promise<JobFile> => {
  const refuse = (reason: string): JobFile => ({
    text: '',
    jobs: 0,
    unreadable: [],
    problem: `${file.name} ${reason}`,
  })
  if (file.size > maxInputLength) return refuse(`is larger than ${formatBytes(maxInputLength)}. Split it.`)
  const content = decodeText(await file.arrayBuffer())
  if (content === null) return refuse('is not a text file. Save it as CSV or plain text in UTF-8.')
  const references = parseJobReferences(content)
  if (references.length === 0) return refuse('is empty.')
  const unreadable = references.filter((line) => line.kind === 'unreadable')
  const readable = references.filter((line) => line.kind !== 'unreadable')
  const jobs = readable.length
  if (jobs > maxJobs) return refuse(`names ${formatCount(jobs)} jobs; the maximum is ${maxJobs}. Split it.`)
  if (references.length > maxLines) return refuse(`has more than ${maxLines} lines. Split it.`)
  return { text: readable.map(({ text }) => text).join('\n'), jobs, unreadable, problem: null }
}
