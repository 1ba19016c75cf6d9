import type { AgentJob } from '@docket/api-types/agent-jobs'

/** Name of a job for people: its title, else its branch, else its id. Never empty. */
export const formatJobTitle = ({ title, source, id }: Pick<AgentJob, 'title' | 'source' | 'id'>): string =>
  [title, source.ref].find((text) => text?.trim()) ?? id
