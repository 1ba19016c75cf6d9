import type { AgentJobRow } from '#agent-jobs/agent-jobs.meaning.ts'

/** What a job is called where there is no room for all of it: owner and name of its repository, or its id. Untrusted plain text. */
export const formatTitle = ({ repository, id }: Pick<AgentJobRow, 'repository' | 'id'>): string => {
  const parts = (URL.parse(repository ?? '')?.pathname ?? '').split('/').filter((part) => part !== '')
  return (
    parts
      .slice(-2)
      .join('/')
      .replace(/\.git$/, '') || id
  )
}
