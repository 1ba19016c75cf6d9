import type { Connection } from '@docket/api-types/connections'
import type { Status } from '@docket/api-types/status'
import { expect, test } from 'vitest'
import { testConnection } from '#lib/connections/testing/connection.ts'
import { labelConnection, titleWithConnection } from './connection-state.ts'
import { describeTrouble } from './trouble-link.tsx'

const staging = testConnection({ connectionId: 'c1', agentJobCreation: false })
const rejected: Connection = { ...staging, connectionId: 'c2', name: 'Live', state: 'key_rejected' }
const status = (...connections: Connection[]) =>
  ({ connections, connection: { origin: 'https://api.staging.example' } }) as unknown as Status

test('the title of a connection problem names the connection', () => {
  expect(titleWithConnection(labelConnection(rejected).title, 'Live')).toBe('Live rejects the admin key')
})

test('problems of a connection that is not in use are not reported', () => {
  expect(labelConnection({ ...rejected, use: 'paused', useReason: 'Ada paused it.' })).toMatchObject({
    word: 'Paused',
    title: 'Ada paused it.',
    trouble: false,
  })
  expect(labelConnection({ ...rejected, kind: 'unassigned', use: 'gone' }).word).toBe('Unassigned')
})

test('the frame shows the trouble of the chosen connection or a summary of several, and nothing while all is well', () => {
  expect(describeTrouble(status(staging), '')).toBeNull()
  expect(describeTrouble(status({ ...rejected, use: staging.use }), '')).toEqual({
    tone: 'failed',
    word: 'Key rejected',
    place: 'api.staging.example',
  })
  expect(describeTrouble(status(staging, rejected), '')).toEqual({
    tone: 'failed',
    word: 'Key rejected',
    place: '1 of 2 connections',
  })
  expect(describeTrouble(status(staging, rejected), 'c1')).toBeNull()
  expect(describeTrouble(status(staging, rejected), 'c2')).toMatchObject({ word: 'Key rejected', place: 'Live' })
  expect(describeTrouble(status(), '')).toMatchObject({ word: 'No service' })
})
