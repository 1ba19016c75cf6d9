import type { HostConfiguration, HostConfigurationQuery } from '@docket/api-types/host-configuration'
import type { StoredSite } from '@docket/site-bundle/open-site'
import { refusedFieldError } from '#ground/errors/app-error.ts'

const sentences = {
  name: 'Enter a hostname, such as docs.example.com.',
  folder: 'Enter an absolute folder with letters, digits, spaces and . _ - + @ only, such as /srv/docs.',
  path: 'Enter a path that begins and ends with a slash, such as /handbook/.',
} as const

const withSlashes = (path: string) => `/${path}/`.replaceAll(/\/{2,}/g, '/')

export const configureHost = async (
  site: Pick<StoredSite, 'manifest' | 'report'>,
  query: HostConfigurationQuery,
): Promise<HostConfiguration> => {
  const { findPlaceProblem, writeHostConfiguration } =
    await import('@docket/site-bundle/host-configuration/write-configuration')
  const [manifest, { findings }] = await Promise.all([site.manifest(), site.report()])
  const expected = findings.find(({ rule }) => rule === 'mount')?.target ?? '/'
  const isUsable = findPlaceProblem({ name: 'docs.example.com', folder: '/srv', path: expected }) === null
  const path = query.path === undefined ? (isUsable ? expected : '/') : withSlashes(query.path)
  const place = { name: query.name.toLowerCase(), folder: query.root, path }
  const problem = findPlaceProblem(place)
  if (problem !== null) throw refusedFieldError(problem === 'folder' ? 'root' : problem, sentences[problem])
  return { path, files: writeHostConfiguration(query.host, manifest, place) }
}
