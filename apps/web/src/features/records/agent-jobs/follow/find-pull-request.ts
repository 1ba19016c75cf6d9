import type { AgentJobList } from '@docket/api-types/agent-jobs'
import { get } from '#lib/api/api.ts'
import { parsePullRequest, type PullRequest } from './pull-request-address.ts'

type Item = AgentJobList['items'][number]

const maxPages = 20

/** Finds the newest followed job that reports a pull request. Null when none of the latest 1,000 jobs of its repository does. */
export const findJobOfPull = async ({ address, repository }: PullRequest, connection: string): Promise<Item | null> => {
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page += 1) {
    const query = { q: repository.slice(0, 200), connection: connection || undefined, cursor }
    const { items, nextCursor } = await get('/api/agent-jobs', { query })
    const found = items.find(({ prLink }) => prLink !== null && parsePullRequest(prLink.text)?.address === address)
    if (found !== undefined) return found
    if (nextCursor === null) return null
    cursor = nextCursor
  }
  return null
}

/** Reason for a pull request without a followed job. */
export const noJobOfPull =
  'No followed job reports this pull request, and the service can’t look one up. Follow the job by its ID.'
