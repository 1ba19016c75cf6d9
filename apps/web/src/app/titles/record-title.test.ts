import type { AgentJob } from '@docket/api-types/agent-jobs'
import type { StaticExport } from '@docket/api-types/static-exports'
import { expect, test } from 'vitest'
import { cleanTitle, formatExportTitle, formatJobTabTitle } from './record-title.ts'

const row = (more: Partial<StaticExport>) =>
  formatExportTitle({
    domain: 'docs.example.com',
    domainUnicode: null,
    state: 'accepted',
    status: 'running',
    progress: null,
    goneAt: null,
    replacedBy: null,
    ...more,
  } as StaticExport)

test('an export’s title shows its progress while it runs, its state if it needs attention, and otherwise its domain', () => {
  expect(row({ progress: 64.9 })).toBe('64 % · docs.example.com')
  expect(row({})).toBe('Running · docs.example.com')
  expect(row({ state: 'completed', domainUnicode: 'bücher.example' })).toBe('bücher.example')
  expect(row({ state: 'failed' })).toBe('Failed · docs.example.com')
  expect(row({ state: 'unknown' })).toBe('Unknown outcome · docs.example.com')
  expect(row({ state: 'unknown', replacedBy: 'another' })).toBe('docs.example.com')
})

const job = (title: string | null, repository: string | null, meaning: AgentJob['meaning'] = 'working') => {
  const source = { repository: repository === null ? null : { text: repository, label: null }, ref: 'agent/billing' }
  return formatJobTabTitle({ id: 'run-1', title, source, meaning, status: null } as unknown as AgentJob)
}

test('a job’s tab title is the job’s title, else names its repository, and never its id', () => {
  expect(job(' Write about\tbilling', 'acme/docs')).toBe('Write about billing')
  expect(job(null, 'acme/docs')).toBe('Agent job of acme/docs')
  expect(job(' ', null, 'failed')).toBe('Failed · Agent job')
  expect(job('\u202e', null)).toBe('Agent job')
})

test('a tab title contains no control or direction characters and is cut to a fixed length', () => {
  expect(cleanTitle('a\u202eb\u2066c\u2028d\u0007e\u200f\u061cf')).toBe('abc def')
  expect(cleanTitle('می\u200Cخواهم 👩\u200D💻')).toBe('می\u200Cخواهم 👩\u200D💻')
  expect(cleanTitle('🙂'.repeat(200))).toBe(`${'🙂'.repeat(39)}…`)
})
