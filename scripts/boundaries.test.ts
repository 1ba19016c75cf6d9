import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverAreas, webFeatures } from './boundaries.ts'
import { trackedFiles } from './tracked-files.ts'

const root = join(import.meta.dirname, '..')
const [feature = 'bundles/comparison', otherFeature = 'bundles/findings'] = webFeatures
const foreignFeature = webFeatures.find((name) => name.split('/')[0] !== feature.split('/')[0]) ?? 'ground/audit'

const own = `apps/web/src/features/${feature}`
const other = `#features/${otherFeature}/x.ts`
const imports = 'eslint(no-restricted-imports)'
const use = (from: string) => `import { x } from '${from}'\nexport const y = x\n`
const useType = (from: string) => `import type { x } from '${from}'\nexport type Y = x\n`

/** Code that the linter refuses: by the rule, the guarantee, the file and what is in it. */
const refusedBy: Record<string, [name: string, file: string, code: string][]> = {
  [imports]: [
    ['a parent folder is never imported', 'apps/bff/src/ground/http/a.ts', use('../log.ts')],
    ['an import path never climbs in its middle', 'apps/web/src/lib/b.ts', use('./deep/../../app/x.ts')],
    ['a parent folder is never imported in an area', 'apps/bff/src/records/agent-jobs/c.ts', use('../../x.ts')],
    ['a library whose errors carry the key is banned', 'apps/bff/src/records/agent-jobs/d.ts', use('axios')],
    ['a feature never imports another feature', `${own}/e.ts`, use(other)],
    ['a feature never imports a type of another feature', `${own}/type.ts`, useType(other)],
    [
      'a feature never imports a feature of another area',
      `${own}/deep/area.ts`,
      use(`#features/${foreignFeature}/deep/x.ts`),
    ],
    [
      'a file beside the features of an area imports none of them',
      `apps/web/src/features/${feature.split('/')[0]}/beside.ts`,
      use(`#features/${feature}/x.ts`),
    ],
    ['a feature never imports another feature lazily', `${own}/f.ts`, `export const y = () => import('${other}')\n`],
    ['a feature never re-exports another feature', `${own}/g.ts`, `export { x } from '${other}'\n`],
    ['a feature never imports code that composes it', `${own}/h.ts`, use('#app/x.ts')],
    ['ui imports no feature', 'apps/web/src/ui/i.ts', use(`#features/${feature}/x.ts`)],
    ['ui imports no type from the contract', 'apps/web/src/ui/j.ts', useType('@docket/api-types/status')],
    ['lib imports no feature', 'apps/web/src/lib/k.ts', use(`#features/${feature}/x.ts`)],
    ['lib does not import React', 'apps/web/src/lib/l.ts', use('react')],
    ['main imports no feature', 'apps/web/src/main.ts', use(`#features/${feature}/x.ts`)],
    ['the web app imports no value from the contract', 'apps/web/src/app/m.ts', use('@docket/api-types/status')],
    ['the web app imports no route from the contract', 'apps/web/src/lib/o.ts', use('@docket/api-types/routes')],
    ['the table of roles brings no schema into the browser', 'packages/api-types/src/ground/roles.ts', use('zod')],
    ['the web app imports no server package', 'apps/web/src/app/n.ts', use('@docket/bff')],
    ...serverAreas.slice(1).flatMap((area, index): [string, string, string][] => [
      [`${area} imports nothing from above`, `apps/bff/src/${area}/deep/o.ts`, use(`#${serverAreas[index]!}/x.ts`)],
      [`${area} imports no type from above`, `apps/bff/src/${area}/p.ts`, useType(`#${serverAreas[index]!}/deep/x.ts`)],
    ]),
    [
      'a test of an area imports nothing above it',
      'apps/bff/src/records/agent-jobs/o.test.ts',
      use('#bundles/shared-store/x.ts'),
    ],
    ['the lowest area imports nothing from the highest', 'apps/bff/src/ground/http/q.ts', use('#process/areas.ts')],
    ['composed code never imports code that composes it', 'apps/bff/src/process/backup/p.ts', use('#process/areas.ts')],
    ['main.ts is imported by nobody', 'apps/bff/src/process/areas.ts', use('#main.ts')],
    ['start.ts is imported by main.ts alone', 'apps/bff/src/process/start/shutdown.ts', use('./start.ts')],
    [
      'an area does not import the client behind the port',
      'apps/bff/src/records/agent-jobs/r.ts',
      use('#service/admin-api/http-admin-api.ts'),
    ],
    ['app.ts does not import the local Admin API', 'apps/bff/src/process/app.ts', use('@docket/local-admin-api')],
    [
      'records do not import the bundle store',
      'apps/bff/src/records/static-exports/s.ts',
      use('@docket/artifact-store/x'),
    ],
    [
      'hosting does not import the delivery of sites',
      'apps/bff/src/releases/hosting/s.ts',
      use('@docket/site-delivery/x'),
    ],
    ['product code does not import the test wiring', 'apps/bff/src/service/polling/s.ts', use('#testing/database.ts')],
    ['product code does not import Vitest', 'apps/bff/src/ground/db/s.ts', use('vitest')],
    ['the contract imports zod and nothing else', 'packages/api-types/src/records/t.ts', use('hono')],
    [
      'an area does not import a part of the local Admin API',
      'apps/bff/src/records/agent-jobs/t.ts',
      use('@docket/doc-agent/x'),
    ],
    [
      'the local Admin API does not import the contract',
      'packages/local-admin-api/src/u.ts',
      use('@docket/api-types/status'),
    ],
    ['sources import no other package', 'packages/sources/src/a.ts', use('@docket/site-exporter/x')],
    ['the artifact store imports no other package', 'packages/artifact-store/src/b.ts', use('@docket/sources/x')],
    [
      'a test of the artifact store imports no other package',
      'packages/artifact-store/src/b.test.ts',
      use('@docket/sources/testing/files'),
    ],
    ['the exporter imports no service', 'packages/site-exporter/src/c.ts', use('@docket/local-admin-api')],
    ['the exporter imports no code host', 'packages/site-exporter/src/writer/d.ts', use('@docket/code-hosts/x')],
    ['code hosts import no agent', 'packages/code-hosts/src/embedded/e.ts', use('@docket/doc-agent/x')],
    ['the agent imports no type of the exporter', 'packages/doc-agent/src/f.ts', useType('@docket/site-exporter/x')],
    ['the agent does not import the service', 'packages/doc-agent/src/work/g.ts', use('@docket/local-admin-api')],
    ['Markdown imports no reader', 'packages/site-exporter/src/markdown/h.ts', use('#readers/x.ts')],
    ['OpenAPI imports no reader', 'packages/site-exporter/src/openapi/page/i.ts', use('#readers/x.ts')],
    ['a reader imports no writer', 'packages/site-exporter/src/readers/j.ts', use('#writer/x.ts')],
    ['the mirror imports no writer', 'packages/site-exporter/src/mirror/k.ts', use('#writer/x.ts')],
    [
      'a folder of the exporter does not import code that composes it',
      'packages/site-exporter/src/site/l.ts',
      use('#export-site.ts'),
    ],
    [
      'product code of a package does not import the test helpers of another',
      'packages/code-hosts/src/m.ts',
      use('@docket/sources/testing/files'),
    ],
    ['the server imports no proof', 'apps/bff/src/ground/http/proof.ts', use('#proofs/harness/plant.ts')],
    [
      'a test of the server imports nothing from the bench',
      'apps/bff/src/ground/http/bench.test.ts',
      use('#bench/harness/cleanup.ts'),
    ],
    ['a package imports no proof', 'packages/embedded-postgres/src/proof.ts', use('#proofs/list.ts')],
    ['browser tests import no code of Docket', 'e2e/v.ts', use('#apps/bff/src/ground/config/config.ts')],
    ['only packages/outbound opens connections by undici', 'packages/code-hosts/src/api/connect.ts', use('undici')],
    ['no area of the server opens connections by undici', 'apps/bff/src/service/admin-api/connect.ts', use('undici')],
    [
      'no folder of the exporter opens connections by undici',
      'packages/site-exporter/src/mirror/http/connect.ts',
      use('undici'),
    ],
    [
      'only packages/outbound opens connections by node:https',
      'packages/site-delivery/src/drivers/connect.ts',
      `import { request } from 'node:https'\nexport const y = request\n`,
    ],
    [
      'only packages/outbound opens connections by node:net',
      'packages/local-admin-api/src/connect.ts',
      `import { connect } from 'node:net'\nexport const y = connect\n`,
    ],
    ['only one driver opens connections over SSH', 'packages/site-delivery/src/drivers/other-ssh.ts', use('ssh2')],
  ],
  'eslint(no-restricted-globals)': [
    [
      'the server does not use the global fetch',
      'apps/bff/src/people/accounts/oidc/fetch.ts',
      `export const y = () => fetch('https://example.com')\n`,
    ],
    [
      'no package uses the global fetch',
      'packages/sources/src/fetch.ts',
      `export const y = () => fetch('https://example.com')\n`,
    ],
  ],
  'eslint(no-use-before-define)': [
    [
      'wiring uses nothing that is defined below it',
      'apps/bff/src/records/records.ts',
      'const a = { get: () => b }\nconst b = 1\nexport const y = [a, b]\n',
    ],
  ],
  'import(no-default-export)': [
    ['nothing is exported by default', 'apps/bff/src/ground/http/w.ts', 'export default 1\n'],
  ],
  'oxc(no-barrel-file)': [
    ['no file re-exports everything of another', 'apps/bff/src/ground/http/index.ts', "export * from './w.ts'\n"],
  ],
  'node(no-process-env)': [
    ['only main.ts reads the environment', 'apps/bff/src/ground/http/x.ts', 'export const y = process.env.PORT\n'],
  ],
  'import(no-cycle)': [
    [
      'two files do not import types from each other',
      'packages/sources/src/circle/a.ts',
      `import type { B } from './b.ts'\nexport type A = { b: B }\n`,
    ],
    [
      'two files do not import types from each other by an area alias',
      'packages/sources/src/circle/b.ts',
      `import type { A } from '#circle/a.ts'\nexport type B = { a: A }\n`,
    ],
  ],
  'typescript(no-explicit-any)': [
    ['no value has the type any', 'apps/bff/src/ground/http/y.ts', 'export const y = (x: any) => String(x)\n'],
  ],
  'typescript(no-floating-promises)': [
    [
      'no promise is left without a handler',
      'apps/bff/src/ground/http/z.ts',
      'const f = async () => 1\nf()\nexport const y = 1\n',
    ],
  ],
}
const refused = Object.entries(refusedBy).flatMap(([rule, rows]) =>
  rows.map(([name, file, code]) => ({ rule, name, file, code })),
)

const allowed: Record<string, string> = {
  [`${own}/ok.ts`]: `import type { x } from '@docket/api-types/status'\nimport { y } from '#lib/x.ts'\nimport { z } from './deep/x.ts'\nexport type X = x\nexport const w = [y, z]\n`,
  [`${own}/own.ts`]: use(`#features/${feature}/x.ts`),
  'apps/web/src/app/ok.ts': `import { a } from '#features/${feature}/x.ts'\nimport { b } from '${other}'\nexport const w = [a, b]\n`,
  'apps/bff/src/records/agent-jobs/ok.ts': `import { a } from '#service/admin-api/admin-api.ts'\nimport { b } from '#records/x.ts'\nimport { c } from '@docket/api-types/status'\nexport const w = [a, b, c]\n`,
  'apps/bff/src/records/agent-jobs/ok.test.ts': use('#testing/test-app.ts'),
  'apps/bff/src/ground/http/ok.test.ts': use('#records/x.ts'),
  'apps/bff/src/bundles/shared-store/ok.ts': use('@docket/artifact-store/x'),
  'apps/bff/src/service/connections/open-client.ts': use('#service/admin-api/http-admin-api.ts'),
  'apps/bff/src/main.ts': `export const l = async () => [await import('#process/start/start.ts'), process.env.PORT]\n`,
  'apps/bff/src/process/start/start.ts': `import { a } from '#process/areas.ts'\nexport const w = [a]\nexport const l = () => import('#process/metrics/x.ts')\n`,
  'proofs/ok.ts': `import { a } from '#apps/bff/src/ground/config/config.ts'\nimport { b } from '#bench/harness/cleanup.ts'\nexport const w = [a, b, process.env.PORT]\n`,
  'packages/local-admin-api/src/ok.ts': `import { a } from '@docket/sources/x'\nimport { b } from '@docket/artifact-store/x'\nimport { c } from '@docket/site-exporter/x'\nimport { d } from '@docket/code-hosts/x'\nimport { e } from '@docket/doc-agent/x'\nexport const w = [a, b, c, d, e]\n`,
  'packages/outbound/src/ok.ts': `import { x } from 'undici'\nimport { isIP } from 'node:net'\nexport const y = [x, isIP]\n`,
  'packages/sources/src/ok.ts': `import { isIP, type Socket } from 'node:net'\nimport { createServer } from 'node:http'\nimport type { Agent } from 'undici'\nexport type W = [Agent, Socket]\nexport const w = [isIP, createServer]\n`,
  'packages/artifact-store/src/s3/s3-storage.ts': use('@smithy/node-http-handler'),
  'packages/code-hosts/src/ok.test.ts': `export const w = () => fetch('https://example.com')\n`,
  'apps/web/src/lib/ok.ts': use('@docket/api-types/roles'),
  'packages/doc-agent/src/ok.test.ts': use('@docket/sources/testing/files'),
  'packages/site-exporter/src/writer/ok.ts': `import { a } from '#readers/x.ts'\nimport { b } from '#markdown/x.ts'\nimport { c } from '#writer/deep/x.ts'\nimport { d } from './x.ts'\nexport const w = [a, b, c, d]\n`,
  'packages/site-exporter/src/ok.ts': `import { a } from '#readers/x.ts'\nimport { b } from '#writer/x.ts'\nexport const w = [a, b]\n`,
  'packages/api-types/src/records/ok.ts': `import { z } from 'zod'\nimport { x } from '#ground/x.ts'\nimport { y } from './x.ts'\nexport const w = [z, x, y]\n`,
}

let tree = ''
let found: { rule: string; file: string }[] = []

const plant = (file: string, code: string) => {
  mkdirSync(dirname(join(tree, file)), { recursive: true })
  writeFileSync(join(tree, file), code)
}

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'docket-boundaries-'))
  plant('oxlint.config.ts', `export { default } from ${JSON.stringify(join(root, 'oxlint.config.ts'))}\n`)
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2024',
    allowImportingTsExtensions: true,
    types: [],
  }
  plant('tsconfig.json', JSON.stringify({ compilerOptions, include: ['apps', 'packages', 'proofs', 'e2e'] }))
  // Names of areas are resolved by it.
  plant('packages/sources/package.json', JSON.stringify({ type: 'module', imports: { '#*': './src/*' } }))
  for (const { file, code } of refused) plant(file, code)
  for (const [file, code] of Object.entries(allowed)) plant(file, code)
  // A link to node_modules would do instead, but the linter would follow it and read everything behind it.
  const env = { ...process.env, OXLINT_TSGOLINT_PATH: join(root, 'node_modules/.bin/tsgolint') }
  const oxlint = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--format=json'], {
    cwd: tree,
    encoding: 'utf8',
    env,
  })
  const { diagnostics } = JSON.parse(oxlint.stdout) as { diagnostics: { code: string; filename: string }[] }
  found = diagnostics.map(({ code, filename }) => ({ rule: code, file: filename }))
})

afterAll(() => rmSync(tree, { recursive: true, force: true }))

test.each(refused)('$name', ({ rule, file }) => {
  expect(found).toContainEqual({ rule, file })
})

test('allowed imports cause no lint error', () => {
  expect(found.filter(({ file }) => file in allowed)).toEqual([])
})

test('every server folder is a known area, and every feature has import boundaries', () => {
  const found = readdirSync(join(root, 'apps/bff/src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(found.map(({ name }) => name).toSorted()).toEqual([...serverAreas, 'testing'].toSorted())
  expect(webFeatures).toEqual(expect.arrayContaining(['records/agent-jobs', 'records/static-exports']))
  // What lay beside the features would be bounded by none of them.
  const inNoFeature = trackedFiles(root).filter(({ path }) => /^apps\/web\/src\/features\/([^/]+\/)?[^/]+$/.test(path))
  expect(inNoFeature.map(({ path }) => path)).toEqual([])
})

test('no folder has an index file that re-exports its other files', () => {
  const names = trackedFiles(root).map(({ path }) => basename(path))
  expect(names.filter((name) => /^index\.[jt]sx?$/.test(name))).toEqual([])
})

test('no test helper registers a hook when it is loaded, because only the first file of a process would have it', () => {
  const helpers = trackedFiles(root)
    .filter(({ path }) => /^(apps|packages)\/.*\.ts$/.test(path) && !/\.(test|prove)\.ts$/.test(path))
    // Vitest runs a set-up file for every file of tests.
    .filter(({ path }) => path !== 'apps/bff/src/testing/one-process.ts')
  const hook = /^(before|after)(All|Each)\(/m
  expect(hook.test('afterAll(() => shared?.drop())')).toBe(true)
  expect(helpers.filter(({ text }) => hook.test(text)).map(({ path }) => path)).toEqual([])
})
