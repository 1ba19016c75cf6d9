import type { Connection } from '@docket/api-types/connections'
import type { Status } from '@docket/api-types/status'
import { expect, test } from 'vitest'
import { testConnection } from '#lib/connections/testing/connection.ts'
import { describeStatus } from './connection-badge.tsx'
import { labelConnection, titleWithConnection } from './connection-state.ts'

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

test('the badge shows the host of a single connection, and a summary of several', () => {
  expect(describeStatus(status(staging), '')).toEqual({ tone: 'done', word: 'Connected', place: 'api.staging.example' })
  expect(describeStatus(status(staging, { ...staging, connectionId: 'c2' }), '')).toEqual({
    tone: 'done',
    word: 'Connected',
    place: '2 connections',
  })
  expect(describeStatus(status(staging, rejected), '')).toEqual({
    tone: 'failed',
    word: 'Key rejected',
    place: '1 of 2 connections',
  })
  expect(describeStatus(status(staging, rejected), 'c2')).toMatchObject({ word: 'Key rejected', place: 'Live' })
  expect(describeStatus(status(), '')).toMatchObject({ word: 'No service' })
})
