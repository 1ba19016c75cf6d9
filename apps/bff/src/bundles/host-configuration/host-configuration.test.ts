import { HostConfiguration } from '@docket/api-types/host-configuration'
import type { Manifest } from '@docket/site-bundle/manifest'
import { createFinding } from '@docket/site-bundle/check/collect-findings'
import { expect, test } from 'vitest'
import { AppError } from '#ground/errors/app-error.ts'
import { configureHost } from './host-configuration.ts'

const manifest: Manifest = {
  version: 1,
  sha256: 'a'.repeat(64),
  ending: '.tar.gz',
  sizeBytes: 1,
  contentBytes: 1,
  root: 'site/',
  files: [{ path: 'site/index.html', sizeBytes: 1, sha256: '', type: 'text/html' }],
  pages: [],
  redirects: [{ from: '/old', to: '/guide' }],
}

const open = (mount: string) => {
  const finding = { ...createFinding('mount', mount), places: [], total: 1, seenBy: 'check' as const }
  return {
    manifest: async () => manifest,
    report: async () => ({ version: 1 as const, unfinished: null, findings: mount === '/' ? [] : [finding] }),
  }
}

const asked = { host: 'nginx', name: 'Docs.example.com', root: '/srv/docs' } as const

test('the host configuration uses the path that the links of the site expect, unless another path is requested', async () => {
  const expected = HostConfiguration.parse(await configureHost(open('/handbook/'), asked))
  expect(expected.path).toBe('/handbook/')
  expect(expected.files.map(({ name }) => name)).toEqual(['docs.example.com.conf'])
  expect(expected.files[0]!.text).toContain('"~^/handbook/old/?\\n" "302:/handbook/guide$is_args$args"')
  const other = await configureHost(open('/handbook/'), { ...asked, path: 'docs' })
  expect(other.path).toBe('/docs/')
  expect((await configureHost(open('/we "ird/'), asked)).path).toBe('/')
})

test.for([
  [{ name: 'a"; }' }, 'name'],
  [{ root: '/srv/"docs' }, 'root'],
  [{ path: '/a b/' }, 'path'],
] as const)('%j is refused with an error for its field', async ([change, field]) => {
  const refusal = await configureHost(open('/'), { ...asked, ...change }).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(AppError)
  expect((refusal as AppError).details).toMatchObject({ field })
})
