import type { Connection } from '@docket/api-types/connections'
import { expect, test } from 'vitest'
import { currentConnections } from '#lib/connections/connections.ts'
import { toJobRequest, toJobId, buildJobLink } from './agent-jobs.queries.ts'

const staging = { connectionId: 'c1', projectId: 'docs', id: 'run-1' }
const live = { ...staging, connectionId: 'c2' }

test('the same job id on two connections names two jobs', () => {
  expect(toJobId(staging)).not.toBe(toJobId(live))
  expect(toJobRequest(live)).toEqual({ params: { projectId: 'docs', id: 'run-1' }, query: { connection: 'c2' } })
})

test('a link to a job names its connection only if there are several connections', () => {
  const connection = ({ connectionId }: { connectionId: string }) => ({ connectionId }) as unknown as Connection
  currentConnections.set([connection(staging)])
  expect(buildJobLink(staging).search).toEqual({})
  currentConnections.set([connection(staging), connection(live)])
  expect(buildJobLink(live).search).toEqual({ at: 'c2' })
  currentConnections.set(null)
})
