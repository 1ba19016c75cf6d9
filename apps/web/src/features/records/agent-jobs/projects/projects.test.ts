import { expect, test } from 'vitest'
import { findProject, listProjects } from './projects.queries.ts'

const handbook = { connectionId: 'c1', projectId: 'p1', name: 'Handbook', isDefault: false }
const guide = { connectionId: 'c1', projectId: 'p2', name: 'Guide', isDefault: true }
const unnamed = { connectionId: 'c1', projectId: 'a0', name: null, isDefault: false }
const other = { connectionId: 'c2', projectId: 'p1', name: 'Live handbook', isDefault: false }
const all = [unnamed, handbook, guide, other]

test('the same project id on two connections names two projects', () => {
  expect(findProject(all, { connectionId: 'c2', projectId: 'p1' })).toBe(other)
  expect(findProject(all, { connectionId: 'c1', projectId: 'p1' })).toBe(handbook)
  expect(findProject(all, { connectionId: 'c2', projectId: 'p2' })).toBe(null)
})

test('the default project is listed first, then projects with names, then those with only ids', () => {
  expect(listProjects(all, 'c1')).toEqual([guide, handbook, unnamed])
  expect(listProjects(all, '')).toEqual([guide, handbook, other, unnamed])
})
