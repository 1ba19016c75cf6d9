import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { printConfiguration } from '#apps/bff/src/ground/config/config.ts'
import { createDocketMetrics } from '#apps/bff/src/process/metrics/metrics.ts'
import { ErrorCode } from '#packages/api-types/src/ground/api-error.ts'
import { findTypeErrors } from './manifest-types.ts'
import { readKubernetesFolder } from './manifests.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(root, 'deploy', path), 'utf8')

test('the Kubernetes manifests fit the Kubernetes types and name only things that exist', async () => {
  const { manifests, broken } = readKubernetesFolder(root)
  expect(broken).toEqual([])
  expect(manifests.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['Deployment', 'Ingress', 'NetworkPolicy']))
  expect(await findTypeErrors(manifests)).toEqual([])
  const wrong = JSON.parse(
    JSON.stringify(manifests).replace('"readOnlyRootFilesystem"', '"readOnlyRoot"'),
  ) as typeof manifests
  expect(await findTypeErrors(wrong)).toEqual([expect.stringContaining('readOnlyRoot')])
})

test('the deployment fits the restricted pod security level, and its stop timeout exceeds Docket’s drain time', () => {
  const { manifests } = readKubernetesFolder(root)
  const deployment = manifests.find(({ kind }) => kind === 'Deployment') as unknown as {
    spec: {
      template: { spec: { terminationGracePeriodSeconds: number; securityContext: object; containers: object[] } }
    }
  }
  const { terminationGracePeriodSeconds, securityContext, containers } = deployment.spec.template.spec
  expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
  for (const container of containers)
    expect(container).toMatchObject({
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
    })
  for (const file of globSync('kubernetes/{base,overlays/small}/settings.env', { cwd: join(root, 'deploy') })) {
    const drainMs = Number(/^SHUTDOWN_DRAIN_MS=(\d+)$/m.exec(read(file))?.[1])
    // Ten seconds for requests in flight, and ten to close the database.
    expect(drainMs / 1000 + 20).toBeLessThan(terminationGracePeriodSeconds)
  }
})

test('every setting in deploy/ exists, and every secret file has a source', () => {
  const known = new Set([...printConfiguration().matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name))
  const compose = parse(read('compose/compose.yaml')) as {
    services: { docket: { environment: Record<string, string>; secrets: string[] } }
  }
  const { environment, secrets } = compose.services.docket
  const withWorkers = parse(read('compose/workers.yaml'), { merge: true }) as {
    services: { worker: { environment: Record<string, string> } }
  }
  const ofWorker = Object.keys(withWorkers.services.worker.environment)
  expect(ofWorker.length).toBeGreaterThan(8)
  expect(ofWorker.filter((name) => !known.has(name))).toEqual([])
  const files = globSync('{kubernetes/**/settings.env,systemd/docket.{env,service}}', { cwd: join(root, 'deploy') })
  expect(files).toHaveLength(6)
  const used = files.flatMap((file) =>
    [...read(file).matchAll(/^(?:# )?(?:Environment=)?([A-Z][A-Z\d_]+)=/gm)].map(([, name]) => name),
  )
  expect([...used, ...Object.keys(environment)].filter((name) => !known.has(name))).toEqual(
    Array.from({ length: 4 }, () => 'NODE_COMPILE_CACHE'),
  )
  const mounted = Object.values(environment).flatMap((value) => /^\/run\/secrets\/(.+)$/.exec(value)?.[1] ?? [])
  expect(mounted).toEqual(secrets)
  const inCluster = [...read('kubernetes/base/settings.env').matchAll(/=\/run\/secrets\/docket\/(.+)$/gm)]
  expect(inCluster).toHaveLength(4)
  for (const [, key] of inCluster) expect(read('README.md')).toContain(`--from-file=${key}=`)
})

/** Metrics that a scrape has only where backups run on a schedule. */
const conditional = ['docket_backup_last_success_timestamp_seconds']

const listMetrics = async (): Promise<Set<string>> => {
  const source = {
    version: '1',
    now: Date.now,
    load: () => ({ requests: 0, downloads: 0, shed: 0 }),
    disks: () => [],
    read: () => Promise.reject(new Error('no database')),
    pool: () => ({ total: 0, idle: 0, waiting: 0 }),
  }
  const { text } = await createDocketMetrics(source).scrape()
  const names = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  )
  return new Set([...names, ...conditional, 'up'])
}

test('every metric in the alert rules and the dashboard exists, and so does every page that an alert names', async () => {
  const exposed = await listMetrics()
  const rules = parse(read('prometheus/rules.yaml')) as {
    groups: { rules: { alert: string; expr: string; annotations: { runbook: string } }[] }[]
  }
  const alerts = rules.groups.flatMap((group) => group.rules)
  const dashboard = JSON.parse(read('grafana/docket.json')) as {
    uid: string
    panels: { datasource?: { uid: string }; targets?: { expr: string }[] }[]
  }
  const expressions = [
    ...alerts.map(({ expr }) => expr),
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ]
  const metrics = /\b(?:(?:docket|nodejs|process)_\w+|up)\b(?=[\s{)[]|$)/g
  const named = expressions.flatMap((expr) => expr.match(metrics) ?? [`no metric in ${expr}`])
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((name) => !exposed.has(name))).toEqual([])

  const codes = expressions.flatMap((expr) =>
    [...expr.matchAll(/outcome=~?"(\w+?)(?:\(([\w|]+)\))?"/g)].flatMap(([, start = '', ends = '']) =>
      ends.split('|').map((end) => start + end),
    ),
  )
  expect(codes).toHaveLength(4)
  expect(codes.filter((code) => !ErrorCode.options.includes(code as ErrorCode))).toEqual([])

  const operating = readFileSync(join(root, 'docs', 'operating.md'), 'utf8')
  const anchors = [...operating.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title.toLowerCase().replaceAll(' ', '-'),
  )
  for (const { alert, annotations } of alerts) {
    const [page, anchor] = annotations.runbook.split('#')
    expect([alert, page, anchors.includes(anchor ?? '')]).toEqual([alert, 'docs/operating.md', true])
    expect(read('prometheus/rules.test.yaml')).toContain(`alertname="${alert}"`)
  }
  expect(dashboard.uid).toBe('docket')
  for (const { datasource } of dashboard.panels) expect(datasource?.uid ?? '${datasource}').toBe('${datasource}')
})
