/** One pasted job: its ids, or the problem with it. */
export type JobReference =
  | { text: string; id: string; projectId: string | null; problem: null }
  | { text: string; id: null; projectId: null; problem: string }

const shapes = 'Use “project job”, a path, an address, a curl line or the job’s JSON.'
// The last two segments may be followed by a query, a fragment, a quote or the rest of a command line.
const pathShape = /\/v2\/agent\/([^/\s?#'"]+)\/job\/([^/\s?#'"]+)/u
const control = /[\u0000-\u001f\u007f-\u009f]/u // oxlint-disable-line no-control-regex -- they are what is refused

const idProblem = (name: string, id: string): string | null => {
  if (id === '') return `The ${name} id is empty.`
  if (id === '.' || id === '..') return `“${id}” is not a ${name} id.`
  if (id.length > 256) return `The ${name} id is longer than 256 characters.`
  if (control.test(id)) return `The ${name} id has control characters in it.`
  return null
}

const refuse = (text: string, problem: string): JobReference => ({ text, id: null, projectId: null, problem })

const accept = (text: string, projectId: string | null, id: string): JobReference => {
  const problem = (projectId === null ? null : idProblem('project', projectId)) ?? idProblem('job', id)
  return problem === null ? { text, id, projectId, problem } : refuse(text, problem)
}

const decodeSegment = (segment: string): string | null => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}

const fromPath = (text: string, match: RegExpExecArray): JobReference => {
  const [projectId, id] = [decodeSegment(match[1] ?? ''), decodeSegment(match[2] ?? '')]
  if (projectId === null || id === null) return refuse(text, 'The address has a broken % escape in it.')
  return accept(text, projectId, id)
}

const fromValue = (text: string, value: unknown): JobReference => {
  if (typeof value !== 'object' || value === null || !('id' in value))
    return refuse(text, 'This JSON has no “id” in it.')
  if (typeof value.id !== 'string') return refuse(text, 'The “id” in this JSON is not text.')
  const projectId = 'projectId' in value && typeof value.projectId === 'string' ? value.projectId.trim() : null
  return accept(text, projectId, value.id.trim())
}

const fromJson = (text: string): JobReference[] => {
  try {
    const value: unknown = JSON.parse(text)
    if (!Array.isArray(value)) return [fromValue(text, value)]
    return value.length > 0
      ? value.map((entry) => fromValue(JSON.stringify(entry), entry))
      : [refuse(text, 'This list is empty.')]
  } catch {
    return [refuse(text, 'This looks like JSON but is incomplete or broken.')]
  }
}

const fromLine = (text: string): JobReference[] => {
  if (text.startsWith('{') || text.startsWith('[')) return fromJson(text)
  const path = pathShape.exec(text)
  if (path) return [fromPath(text, path)]
  if (/^curl\s/u.test(text) || text.includes('://'))
    return [refuse(text, 'There is no /v2/agent/…/job/… in this address.')]
  const words = text.split(/[\s,;]+/u).filter((word) => word !== '')
  if (words.length === 2) return [accept(text, words[0]!, words[1]!)]
  const [projectId, id, ...more] = text.split('/')
  if (words.length === 1 && projectId && id && more.length === 0) return [accept(text, projectId, id)]
  return [refuse(text, words.length === 1 ? `Only one id. ${shapes}` : `Not understood. ${shapes}`)]
}

/** Characters that are parsed at all. */
export const maxInputLength = 200_000

/**
 * Reads what people paste to name agent jobs, one per line: `project job`, `project/job`, a path or address of Admin API §4.1, a curl
 * command (also over several lines), or the JSON of §2.1 (also pretty-printed, which has no project: `projectId` is null then).
 * Never throws. A job named twice is kept once.
 */
export const parseJobReferences = (input: string): JobReference[] => {
  const text = input.slice(0, maxInputLength).trim()
  if (text === '') return []
  const isWholeJson = (text.startsWith('{') || text.startsWith('[')) && text.includes('\n') && isJson(text)
  const found = isWholeJson
    ? fromJson(text)
    : text
        .replaceAll(/\\\r?\n\s*/gu, ' ')
        .split(/\r?\n/u)
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .flatMap(fromLine)
  const names = new Set<string>()
  return found.filter((reference) => {
    const name = JSON.stringify([reference.projectId, reference.id ?? reference.text])
    return names.has(name) ? false : names.add(name)
  })
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
