import type { AgentJobListing, ListedAgentJob } from '#service/admin-api/admin-api.ts'
import { withoutSecrets } from '#ground/log/redact.ts'
import { cleanSentence } from './sentence.ts'
import { parseJobId } from './wire.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const own = (value: Record<string, unknown>, ...names: string[]): unknown =>
  names.filter((name) => Object.hasOwn(value, name)).map((name) => value[name])[0]

const parseEntry = (entry: unknown, secrets: Iterable<string>): ListedAgentJob | null => {
  const id = parseJobId(entry, 'id')
  if (id === null || !isObject(entry) || withoutSecrets(id, secrets) !== id) return null
  const text = (...names: string[]) => cleanSentence(own(entry, ...names), secrets)
  // The public service writes it with a u.
  const halted = own(entry, 'haulted', 'halted')
  return {
    id,
    title: text('title'),
    halted: halted === true || halted === 'true',
    haltReason: text('haultReason', 'haltReason'),
    messageToUser: text('messageToUser'),
  }
}

/**
 * Parses a list of agent jobs: `{ jobs: […] }`, or an array alone. Returns at most `take` jobs, each id once. Null when there is no list; an
 * array of other things is none.
 */
export const parseAgentJobList = (body: unknown, take: number, secrets: Iterable<string>): AgentJobListing | null => {
  const list = isObject(body) ? own(body, 'jobs') : body
  if (!Array.isArray(list)) return null
  const entries = list.slice(0, take).map((entry: unknown) => parseEntry(entry, secrets))
  if (list === body && entries.length > 0 && entries.every((job) => job === null)) return null
  const jobs = new Map(entries.flatMap((job) => (job === null ? [] : [[job.id, job] as const])))
  return { jobs: [...jobs.values()], entries: entries.length, skipped: entries.filter((job) => job === null).length }
}
