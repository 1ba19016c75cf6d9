import { parseJson } from '#lib/text/json.ts'
import { parsePullRequest, type PullRequest } from './pull-request-address.ts'

/** One pasted line: a job by its ids, the pull request of one, or the problem with it. `projectId` is null when the line names none. */
export type JobReference =
  | { text: string; kind: 'job'; id: string; projectId: string | null }
  | { text: string; kind: 'pull-request'; pull: PullRequest }
  | { text: string; kind: 'unreadable'; problem: string }

const shapes = 'Use an ID, “project job”, a path, a URL, a pull request, a curl command or the job’s JSON.'
// The last two segments may be followed by a query, a fragment, a quote or the rest of a command line.
const pathShape = /\/v2\/agent\/([^/\s?#'"]+)\/job\/([^/\s?#'"]+)/u
const control = /[\u0000-\u001f\u007f-\u009f]/u // oxlint-disable-line no-control-regex -- they are what is refused

const findIdProblem = (name: string, id: string): string | null => {
  if (id === '') return `The ${name} ID is empty.`
  if (id === '.' || id === '..') return `“${id}” is not a ${name} ID.`
  if (id.length > 256) return `The ${name} ID is longer than 256 characters.`
  if (control.test(id)) return `The ${name} ID has control characters in it.`
  return null
}

const refuseReference = (text: string, problem: string): JobReference => ({ text, kind: 'unreadable', problem })

const acceptReference = (text: string, projectId: string | null, id: string): JobReference => {
  const problem = (projectId === null ? null : findIdProblem('project', projectId)) ?? findIdProblem('job', id)
  return problem === null ? { text, kind: 'job', id, projectId } : refuseReference(text, problem)
}

const decodeSegment = (segment: string): string | null => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}

const parsePathReference = (text: string, match: RegExpExecArray): JobReference => {
  const [projectId, id] = [decodeSegment(match[1] ?? ''), decodeSegment(match[2] ?? '')]
  if (projectId === null || id === null) return refuseReference(text, 'The URL contains a broken % escape.')
  return acceptReference(text, projectId, id)
}

const parseJsonValue = (text: string, value: unknown): JobReference => {
  if (typeof value !== 'object' || value === null || !('id' in value))
    return refuseReference(text, 'This JSON has no “id”.')
  if (typeof value.id !== 'string') return refuseReference(text, 'The “id” in this JSON is not text.')
  const projectId = 'projectId' in value && typeof value.projectId === 'string' ? value.projectId.trim() : null
  return acceptReference(text, projectId, value.id.trim())
}

const parseJsonReferences = (text: string): JobReference[] => {
  const value = parseJson(text)
  if (value === undefined) return [refuseReference(text, 'This looks like JSON but is incomplete or broken.')]
  if (!Array.isArray(value)) return [parseJsonValue(text, value)]
  return value.length > 0
    ? value.map((entry) => parseJsonValue(JSON.stringify(entry), entry))
    : [refuseReference(text, 'This list is empty.')]
}

const parseLine = (line: string): JobReference[] => {
  const text = line.trim()
  if (text.startsWith('{') || text.startsWith('[')) return parseJsonReferences(text)
  const path = pathShape.exec(text)
  if (path) return [parsePathReference(text, path)]
  const pull = parsePullRequest(text)
  if (pull !== null) return [{ text, kind: 'pull-request', pull }]
  if (/^curl\s/u.test(text) || text.includes('://'))
    return [refuseReference(text, 'This URL leads to neither /v2/agent/…/job/… nor a pull request.')]
  const words = text.split(/\s*[,;]\s*|\s+/u)
  if (words.length === 2 && !words.includes('')) return [acceptReference(text, words[0]!, words[1]!)]
  const [projectId, id, ...more] = text.split('/')
  if (words.length === 1 && id === undefined) return [acceptReference(text, null, words[0]!)]
  if (words.length === 1 && projectId && id && more.length === 0) return [acceptReference(text, projectId, id)]
  return [refuseReference(text, `Docket can’t read this line. ${shapes}`)]
}

const cell = /(?:"((?:[^"]|"")*)"|([^,;\t]*))(?:[,;\t]|$)/gu

const splitCells = (line: string): string[] =>
  [...line.matchAll(cell)].map(([, quoted, plain]) => (quoted?.replaceAll('""', '"') ?? plain ?? '').trim())

/** Places of the job and the project id in a table; null when the line names no such columns. A project column may be missing (-1). */
const parseHeader = (line: string) => {
  const names = splitCells(line).map((name) => name.toLowerCase().replaceAll(/[\s_-]/gu, ''))
  const id = names.findIndex((name) => ['id', 'jobid', 'agentjobid'].includes(name))
  return id === -1 ? null : { id, project: names.findIndex((name) => name === 'project' || name === 'projectid') }
}

/** Text that `parseLine` parses as this job. */
const printReference = (projectId: string | null, id: string): string => {
  const names = projectId === null ? [id] : [projectId, id]
  const isPlain = names.every((name) => !/[\s,;/{["]/u.test(name))
  return isPlain ? names.join(' ') : JSON.stringify(projectId === null ? { id } : { projectId, id })
}

const parseTableRow = (line: string, places: { id: number; project: number }): JobReference => {
  const cells = splitCells(line)
  const [id, projectId] = [cells[places.id] ?? '', cells[places.project] || null]
  const found = acceptReference(line.trim(), projectId, id)
  return found.kind === 'job' ? { ...found, text: printReference(projectId, id) } : found
}

const parseLines = (lines: readonly string[]): JobReference[] => {
  const [first = '', ...rows] = lines
  const places = rows.length > 0 ? parseHeader(first) : null
  return places === null ? lines.flatMap(parseLine) : rows.map((row) => parseTableRow(row, places))
}

export const maxInputLength = 200_000

const nameReference = (reference: JobReference): string => {
  if (reference.kind === 'job') return JSON.stringify([reference.projectId, reference.id])
  return reference.kind === 'pull-request' ? `pull ${reference.pull.address}` : reference.text
}

/**
 * Reads what people paste to name agent jobs, one per line: `project job`, `project/job`, an id alone, a path or address of Admin API §4.1,
 * a curl command (also over several lines), the JSON of §2.1 (also pretty-printed), the address of a pull request, or a table whose first
 * line names its columns. Never throws. A job named twice is kept once.
 */
export const parseJobReferences = (input: string): JobReference[] => {
  const text = input.slice(0, maxInputLength).trim()
  if (text === '') return []
  const isWholeJson = /^[{[]/u.test(text) && text.includes('\n') && parseJson(text) !== undefined
  const found = isWholeJson
    ? parseJsonReferences(text)
    : parseLines(
        text
          .replaceAll(/\\\r?\n\s*/gu, ' ')
          .split(/\r?\n/u)
          .filter((line) => line.trim() !== ''),
      )
  const names = new Set<string>()
  return found.filter((reference) => {
    const name = nameReference(reference)
    return names.has(name) ? false : names.add(name)
  })
}
