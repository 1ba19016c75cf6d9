import type { AgentJob } from '@docket/api-types/agent-jobs'
import type { AgentPrompt } from '@docket/api-types/agent-prompts'
import type { StaticExport } from '@docket/api-types/static-exports'
import { expect, test } from 'vitest'
import { cleanTitle, exportTitle, jobTitle } from './record-title.ts'

const row = (more: Partial<StaticExport>) =>
  exportTitle({
    domain: 'docs.example.com',
    domainUnicode: null,
    state: 'accepted',
    status: 'running',
    progress: null,
    goneAt: null,
    replacedBy: null,
    ...more,
  } as StaticExport)

test('a running export shows how far it is, a finished one its domain, and one that needs a person its state', () => {
  expect(row({ progress: 64.9 })).toBe('64 % · docs.example.com')
  expect(row({})).toBe('Running · docs.example.com')
  expect(row({ state: 'completed', domainUnicode: 'bücher.example' })).toBe('bücher.example')
  expect(row({ state: 'failed' })).toBe('Failed · docs.example.com')
  expect(row({ state: 'unknown' })).toBe('Unknown outcome · docs.example.com')
  expect(row({ state: 'unknown', replacedBy: 'another' })).toBe('docs.example.com')
})

const job = (ref: string | null, meaning: AgentJob['meaning'] = 'working') =>
  ({ id: 'run-1', source: { repository: null, ref }, meaning, status: null }) as AgentJob
const prompt = (kind: AgentPrompt['kind'], text: string) => ({ kind, prompt: text }) as AgentPrompt

test('a job is titled by the prompt that created it, else by its branch, else by its id', () => {
  const prompts = [prompt('message', 'Shorter, please'), prompt('creation', '\n Write about billing \nand more')]
  expect(jobTitle(job('agent/billing'), prompts)).toBe('Write about billing')
  expect(jobTitle(job('agent/billing'), prompts.slice(0, 1))).toBe('agent/billing')
  expect(jobTitle(job(null, 'failed'), [])).toBe('Failed · run-1')
  expect(jobTitle(job('\u202e'), [])).toBe('run-1')
})

test('a title has no control and direction characters, and is no longer than a tab can show', () => {
  expect(cleanTitle('a\u202eb\u2066c\u2028d\u0007e\u200f\u061cf')).toBe('abc def')
  expect(cleanTitle('می\u200Cخواهم 👩\u200D💻')).toBe('می\u200Cخواهم 👩\u200D💻')
  expect(cleanTitle('🙂'.repeat(200))).toBe(`${'🙂'.repeat(39)}…`)
})
