import { expect, test } from 'vitest'
import { parse } from 'yaml'
import {
  printBundleSnippet,
  snippetFiles,
  snippetPlaces,
  type SnippetChannel,
} from '#apps/web/src/features/releases/sites/snippets/snippet-texts.ts'
import { findTypeErrors, type Manifest } from '#scripts/deploy/manifest-types.ts'
import { parseManifests } from '#scripts/deploy/manifests.ts'

const channel = (isPublic: boolean): SnippetChannel => ({
  origin: 'https://docket.example.com',
  site: 'docs-example-com',
  channel: 'production',
  isPublic,
})

type Container = { command: string[] }
type Deployment = Manifest & { spec: { template: { spec: { initContainers: Container[]; volumes: object[] } } } }
type Values = { initContainers: Container[]; extraVolumes: object[]; extraVolumeMounts: object[] }

test('the Kubernetes objects in the snippets, and Helm values placed in one, fit the Kubernetes types', async () => {
  const manifests = [true, false].flatMap((isPublic) => {
    const [deployment] = parseManifests(printBundleSnippet(channel(isPublic), 'kubernetes')) as [Deployment]
    const values = parse(printBundleSnippet(channel(isPublic), 'helm')) as Values
    const { spec } = deployment.spec.template
    expect(values.initContainers).toEqual(spec.initContainers)
    expect([values.extraVolumes, values.extraVolumeMounts.length]).toEqual([spec.volumes, 1])
    return [deployment]
  })
  expect(await findTypeErrors(manifests)).toEqual([])
  const wrong = JSON.parse(JSON.stringify(manifests).replaceAll('"mountPath"', '"path"')) as Manifest[]
  expect(await findTypeErrors(wrong)).not.toEqual([])
})

test('every snippet runs the same commands, and Compose and GitHub do not expand their dollar signs', () => {
  for (const isPublic of [true, false]) {
    const of = channel(isPublic)
    const [deployment] = parseManifests(printBundleSnippet(of, 'kubernetes')) as [Deployment]
    const init = deployment.spec.template.spec.initContainers[0]!.command.at(-1)!
    const compose = parse(printBundleSnippet(of, 'compose')) as { services: { download: Container } }
    expect(compose.services.download.command[0]!.replaceAll('$$', '$')).toBe(init)
    const workflow = parse(printBundleSnippet(of, 'github')) as { jobs: { download: { steps: { run?: string }[] } } }
    const steps = workflow.jobs.download.steps.flatMap(({ run }) => run ?? [])
    const download = init.slice(0, init.indexOf('# Everything of'))
    expect([steps.length, steps[0]!.startsWith(download)]).toEqual([1, true])
    expect(steps[0]).not.toContain('${{')
    expect(printBundleSnippet(of, 'curl')).toContain(download)
  }
})

test('snippets for public channels need no token, and all others do', () => {
  for (const place of snippetPlaces) {
    expect([place, printBundleSnippet(channel(true), place).includes('oken')]).toEqual([place, false])
    expect([place, printBundleSnippet(channel(false), place).includes('DOCKET_TOKEN')]).toEqual([place, true])
    expect(snippetFiles[place]).toMatch(/\.(sh|ya?ml)$/)
  }
})
