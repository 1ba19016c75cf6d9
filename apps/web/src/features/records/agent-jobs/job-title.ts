import type { AgentJob } from '@docket/api-types/agent-jobs'

/** First part of a UUID, as the branch of many jobs may be the same; other ids as they are. */
const shorten = (id: string): string => (/^[\da-f]{8}-[\da-f]{4}-/iu.test(id) ? id.slice(0, 8) : id)

/** Name of a job for people: its title, else its branch with the short id, else its id. Never empty. */
export const formatJobTitle = ({ title, source: { ref }, id }: Pick<AgentJob, 'title' | 'source' | 'id'>): string => {
  if (title?.trim()) return title
  return ref?.trim() ? `${ref} · ${shorten(id)}` : id
}
