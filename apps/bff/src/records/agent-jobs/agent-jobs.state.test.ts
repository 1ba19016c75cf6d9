import { expect, test } from 'vitest'
import { formatTitle } from './agent-jobs.state.ts'

test.each([
  ['fix-the-links', 'fix-the-links'],
  ['release-20261129', 'release-20261129'],
  ['main', 'Agent job of acme/docs'],
  ['docs-agent/job_1', 'Agent job of acme/docs'],
  ['agent/3f2a91c07d', 'Agent job of acme/docs'],
  ['agent/2026112a', 'Agent job of acme/docs'],
])('a job without a title on the branch %s is called %s', (ref, title) => {
  const job = { title: null, ref, repository: 'https://github.com/acme/docs.git', id: 'job_1' }
  expect(formatTitle(job)).toBe(title)
})
