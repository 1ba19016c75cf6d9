import { expect, test } from 'vitest'
import { testConnection } from '#lib/connections/testing/connection.ts'
import {
  explainNoStart,
  explainOperate,
  explainReadOnly,
  offerConnections,
  parseChoice,
  preselectConnection,
} from './connections.ts'

const staging = testConnection()
const production = testConnection({
  connectionId: '00000000-0000-4000-8000-000000000002',
  name: 'Live',
  production: true,
  agentJobCreation: false,
})
const paused = testConnection({ connectionId: '00000000-0000-4000-8000-000000000003', use: 'paused' })
const watched = { ...production, mayOperate: false }

test('an address chooses only a connection that the reader can see', () => {
  expect(parseChoice([staging], staging.connectionId)).toBe(staging.connectionId)
  expect(parseChoice([staging], production.connectionId)).toBe('')
  expect(parseChoice([staging], undefined)).toBe('')
})

test('until the connections are known, an address chooses any valid id', () => {
  expect(parseChoice(null, staging.connectionId)).toBe(staging.connectionId)
  expect(parseChoice(null, 'staging')).toBe('')
})

test('only active connections that the user operates are offered, and for agent jobs only those that can create jobs', () => {
  expect(offerConnections([staging, production, paused, { ...staging, kind: 'unassigned' }])).toEqual([
    staging,
    production,
  ])
  expect(offerConnections([staging, watched])).toEqual([staging])
  expect(offerConnections([staging, production], true)).toEqual([staging])
})

test('a form preselects the chosen connection', () => {
  expect(preselectConnection([staging, production], production.connectionId)).toBe(production.connectionId)
})

test('a form preselects no connection when production is one of several', () => {
  expect(preselectConnection([staging, production], '')).toBe('')
  expect(preselectConnection([staging, { ...paused, use: 'active' }], '')).toBe(staging.connectionId)
  expect(preselectConnection([production], '')).toBe(production.connectionId)
})

test('a form never preselects a connection other than the one chosen for the page', () => {
  expect(preselectConnection([staging], watched.connectionId)).toBe('')
})

test('a form preselects the domain’s connection unless it is production, and none for a new domain', () => {
  const machine = { ...paused, use: 'active' } as const
  const all = [staging, machine, production]
  expect(preselectConnection([staging, machine], '', machine.connectionId)).toBe(machine.connectionId)
  expect(preselectConnection(all, '', machine.connectionId)).toBe(machine.connectionId)
  expect(preselectConnection(all, '', production.connectionId)).toBe('')
  expect(preselectConnection(all, production.connectionId, production.connectionId)).toBe(production.connectionId)
  expect(preselectConnection(all, staging.connectionId, machine.connectionId)).toBe('')
  expect(preselectConnection([staging, machine], '', null)).toBe('')
  // One is left: that of the domain, another one, or none because the domain is new.
  expect(preselectConnection([production], '', production.connectionId)).toBe(production.connectionId)
  expect(preselectConnection([production], '', machine.connectionId)).toBe('')
  expect(preselectConnection([production], '', null)).toBe(production.connectionId)
})

test('records of a connection that is not in use are read-only, with the reason', () => {
  expect(explainReadOnly(staging)).toBe(null)
  expect(explainReadOnly(null)).toBe(null)
  expect(explainReadOnly({ ...paused, useReason: 'Ada paused it.' })).toBe('Ada paused it.')
  expect(explainReadOnly(paused)).toBe('Staging is paused, so this is read-only.')
  expect(explainReadOnly({ ...staging, kind: 'unassigned' })).toContain('belongs to no service')
})

test('the role on a record’s connection, not the role alone, decides who may change the record', () => {
  expect(explainOperate(staging, 'You are a viewer.')).toBe(null)
  expect(explainOperate(watched, 'You are a viewer.')).toBe('You are a viewer.')
  expect(explainOperate(watched, null)).toBe('You can only view records of Live. Ask an admin for access.')
  expect(explainOperate(null, 'You are a viewer.')).toBe('You are a viewer.')
})

test('starting is refused if there is no usable connection', () => {
  expect(explainNoStart([staging, watched], null)).toBe(null)
  expect(explainNoStart([], null)).toContain('No service is connected.')
  expect(explainNoStart([paused], null)).toContain('No service is connected.')
  expect(explainNoStart([watched], null)).toContain('only view')
  expect(explainNoStart([production], null, true)).toBe('No connection here can create agent jobs.')
  expect(explainNoStart(null, 'You are a viewer.')).toBe('You are a viewer.')
})
