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

const imports = 'eslint(no-restricted-imports)'
const use = (from: string) => `import { x } from '${from}'\nexport const y = x\n`

type Planted = { rule: string; file: string; code: string }
const refused: Record<string, Planted> = {
  'a parent folder is never imported': { rule: imports, file: 'apps/bff/src/ground/http/a.ts', code: use('../log.ts') },
  'a path never climbs on its way': {
    rule: imports,
    file: 'apps/web/src/lib/b.ts',
    code: use('./deep/../../app/x.ts'),
  },
  'a parent folder is never imported in an area': {
    rule: imports,
    file: 'apps/bff/src/records/agent-jobs/c.ts',
    code: use('../../x.ts'),
  },
  'a library whose errors carry the key is banned': {
    rule: imports,
    file: 'apps/bff/src/records/agent-jobs/d.ts',
    code: use('axios'),
  },
  'a feature never imports another feature': {
    rule: imports,
    file: `apps/web/src/features/${feature}/e.ts`,
    code: use(`#features/${otherFeature}/x.ts`),
  },
  'a feature never imports a type of another feature': {
    rule: imports,
    file: `apps/web/src/features/${feature}/type.ts`,
    code: `import type { x } from '#features/${otherFeature}/x.ts'\nexport type Y = x\n`,
  },
  'a feature never imports a feature of another area': {
    rule: imports,
    file: `apps/web/src/features/${feature}/deep/area.ts`,
    code: use(`#features/${foreignFeature}/deep/x.ts`),
  },
  'a file beside the features of an area knows none of them': {
    rule: imports,
    file: `apps/web/src/features/${feature.split('/')[0]}/beside.ts`,
    code: use(`#features/${feature}/x.ts`),
  },
  'a feature never imports another feature lazily': {
    rule: imports,
    file: `apps/web/src/features/${feature}/f.ts`,
    code: `export const y = () => import('#features/${otherFeature}/x.ts')\n`,
  },
  'a feature never re-exports another feature': {
    rule: imports,
    file: `apps/web/src/features/${feature}/g.ts`,
    code: `export { x } from '#features/${otherFeature}/x.ts'\n`,
  },
  'a feature never imports what composes it': {
    rule: imports,
    file: `apps/web/src/features/${feature}/h.ts`,
    code: use('#app/x.ts'),
  },
  'ui knows no feature': { rule: imports, file: 'apps/web/src/ui/i.ts', code: use(`#features/${feature}/x.ts`) },
  'ui knows no domain word': {
    rule: imports,
    file: 'apps/web/src/ui/j.ts',
    code: `import type { x } from '@docket/api-types/status'\nexport type Y = x\n`,
  },
  'lib knows no feature': { rule: imports, file: 'apps/web/src/lib/k.ts', code: use(`#features/${feature}/x.ts`) },
  'lib knows no React': { rule: imports, file: 'apps/web/src/lib/l.ts', code: use('react') },
  'main knows no feature': { rule: imports, file: 'apps/web/src/main.ts', code: use(`#features/${feature}/x.ts`) },
  'the web app takes no value from the contract': {
    rule: imports,
    file: 'apps/web/src/app/m.ts',
    code: use('@docket/api-types/status'),
  },
  'the web app takes no route from the contract': {
    rule: imports,
    file: 'apps/web/src/lib/o.ts',
    code: use('@docket/api-types/routes'),
  },
  'no schema gets into the browser with the table of roles': {
    rule: imports,
    file: 'packages/api-types/src/ground/roles.ts',
    code: use('zod'),
  },
  'the web app knows no server package': { rule: imports, file: 'apps/web/src/app/n.ts', code: use('@docket/bff') },
  ...Object.fromEntries(
    serverAreas.slice(1).flatMap((area, index): [string, Planted][] => {
      const above = serverAreas[index]!
      const code = `import type { x } from '#${above}/deep/x.ts'\nexport type Y = x\n`
      return [
        [
          `${area} imports nothing of ${above}`,
          { rule: imports, file: `apps/bff/src/${area}/deep/o.ts`, code: use(`#${above}/x.ts`) },
        ],
        [`${area} imports no type of ${above}`, { rule: imports, file: `apps/bff/src/${area}/p.ts`, code }],
      ]
    }),
  ),
  'a test of an area imports nothing above it': {
    rule: imports,
    file: 'apps/bff/src/records/agent-jobs/o.test.ts',
    code: use('#bundles/store/x.ts'),
  },
  'the lowest area imports nothing of the highest': {
    rule: imports,
    file: 'apps/bff/src/ground/http/q.ts',
    code: use('#process/areas.ts'),
  },
  'what is composed never imports what composes it': {
    rule: imports,
    file: 'apps/bff/src/process/backup/p.ts',
    code: use('#process/areas.ts'),
  },
  'wiring names nothing that is defined below it': {
    rule: 'eslint(no-use-before-define)',
    file: 'apps/bff/src/records/records.ts',
    code: 'const a = { get: () => b }\nconst b = 1\nexport const y = [a, b]\n',
  },
  'main.ts is imported by nobody': { rule: imports, file: 'apps/bff/src/process/areas.ts', code: use('#main.ts') },
  'start.ts is imported by main.ts alone': {
    rule: imports,
    file: 'apps/bff/src/process/start/shutdown.ts',
    code: use('./start.ts'),
  },
  'an area does not know the client behind the port': {
    rule: imports,
    file: 'apps/bff/src/records/agent-jobs/r.ts',
    code: use('#service/admin-api/http-admin-api.ts'),
  },
  'app.ts does not know the local Admin API': {
    rule: imports,
    file: 'apps/bff/src/process/app.ts',
    code: use('@docket/local-admin-api'),
  },
  'records do not know the store of bundles': {
    rule: imports,
    file: 'apps/bff/src/records/static-exports/s.ts',
    code: use('@docket/artifact-store/x'),
  },
  'hosting does not know how sites are delivered': {
    rule: imports,
    file: 'apps/bff/src/releases/hosting/s.ts',
    code: use('@docket/site-delivery/x'),
  },
  'product code does not know the test wiring': {
    rule: imports,
    file: 'apps/bff/src/service/polling/s.ts',
    code: use('#testing/database.ts'),
  },
  'product code does not know Vitest': { rule: imports, file: 'apps/bff/src/ground/db/s.ts', code: use('vitest') },
  'the contract imports zod and nothing else': {
    rule: imports,
    file: 'packages/api-types/src/records/t.ts',
    code: use('hono'),
  },
  'an area does not know a part of the local Admin API': {
    rule: imports,
    file: 'apps/bff/src/records/agent-jobs/t.ts',
    code: use('@docket/doc-agent/x'),
  },
  'the local Admin API does not know the contract': {
    rule: imports,
    file: 'packages/local-admin-api/src/u.ts',
    code: use('@docket/api-types/status'),
  },
  'sources know no other package': {
    rule: imports,
    file: 'packages/sources/src/a.ts',
    code: use('@docket/site-exporter/x'),
  },
  'the artifact store knows no other package': {
    rule: imports,
    file: 'packages/artifact-store/src/b.ts',
    code: use('@docket/sources/x'),
  },
  'a test of the artifact store knows no other package': {
    rule: imports,
    file: 'packages/artifact-store/src/b.test.ts',
    code: use('@docket/sources/testing/files'),
  },
  'the exporter knows no service': {
    rule: imports,
    file: 'packages/site-exporter/src/c.ts',
    code: use('@docket/local-admin-api'),
  },
  'the exporter knows no code host': {
    rule: imports,
    file: 'packages/site-exporter/src/writer/d.ts',
    code: use('@docket/code-hosts/x'),
  },
  'code hosts know no agent': {
    rule: imports,
    file: 'packages/code-hosts/src/embedded/e.ts',
    code: use('@docket/doc-agent/x'),
  },
  'the agent knows no type of the exporter': {
    rule: imports,
    file: 'packages/doc-agent/src/f.ts',
    code: `import type { x } from '@docket/site-exporter/x'\nexport type Y = x\n`,
  },
  'the agent does not know the service': {
    rule: imports,
    file: 'packages/doc-agent/src/work/g.ts',
    code: use('@docket/local-admin-api'),
  },
  'Markdown knows no reader': {
    rule: imports,
    file: 'packages/site-exporter/src/markdown/h.ts',
    code: use('#readers/x.ts'),
  },
  'OpenAPI knows no reader': {
    rule: imports,
    file: 'packages/site-exporter/src/openapi/page/i.ts',
    code: use('#readers/x.ts'),
  },
  'a reader knows no writer': {
    rule: imports,
    file: 'packages/site-exporter/src/readers/j.ts',
    code: use('#writer/x.ts'),
  },
  'the mirror knows no writer': {
    rule: imports,
    file: 'packages/site-exporter/src/mirror/k.ts',
    code: use('#writer/x.ts'),
  },
  'a folder of the exporter does not know what composes it': {
    rule: imports,
    file: 'packages/site-exporter/src/site/l.ts',
    code: use('#export-site.ts'),
  },
  'product code of a package does not know the test helpers of another': {
    rule: imports,
    file: 'packages/code-hosts/src/m.ts',
    code: use('@docket/sources/testing/files'),
  },
  'the server imports no proof': {
    rule: imports,
    file: 'apps/bff/src/ground/http/proof.ts',
    code: use('#proofs/harness/plant.ts'),
  },
  'a test of the server imports nothing of the bench': {
    rule: imports,
    file: 'apps/bff/src/ground/http/bench.test.ts',
    code: use('#bench/harness/cleanup.ts'),
  },
  'a package imports no proof': {
    rule: imports,
    file: 'packages/embedded-postgres/src/proof.ts',
    code: use('#proofs/list.ts'),
  },
  'browser tests know Docket from outside': {
    rule: imports,
    file: 'e2e/v.ts',
    code: use('#apps/bff/src/ground/config/config.ts'),
  },
  'only packages/outbound opens connections by undici': {
    rule: imports,
    file: 'packages/code-hosts/src/api/connect.ts',
    code: use('undici'),
  },
  'no area of the server opens connections by undici': {
    rule: imports,
    file: 'apps/bff/src/service/admin-api/connect.ts',
    code: use('undici'),
  },
  'no folder of the exporter opens connections by undici': {
    rule: imports,
    file: 'packages/site-exporter/src/mirror/http/connect.ts',
    code: use('undici'),
  },
  'only packages/outbound opens connections by node:https': {
    rule: imports,
    file: 'packages/site-delivery/src/drivers/connect.ts',
    code: `import { request } from 'node:https'\nexport const y = request\n`,
  },
  'only packages/outbound opens connections by node:net': {
    rule: imports,
    file: 'packages/local-admin-api/src/connect.ts',
    code: `import { connect } from 'node:net'\nexport const y = connect\n`,
  },
  'only one driver opens connections over SSH': {
    rule: imports,
    file: 'packages/site-delivery/src/drivers/other-ssh.ts',
    code: use('ssh2'),
  },
  'the server does not use the global fetch': {
    rule: 'eslint(no-restricted-globals)',
    file: 'apps/bff/src/people/accounts/oidc/fetch.ts',
    code: `export const y = () => fetch('https://example.com')\n`,
  },
  'no package uses the global fetch': {
    rule: 'eslint(no-restricted-globals)',
    file: 'packages/sources/src/fetch.ts',
    code: `export const y = () => fetch('https://example.com')\n`,
  },
  'nothing is exported by default': {
    rule: 'import(no-default-export)',
    file: 'apps/bff/src/ground/http/w.ts',
    code: 'export default 1\n',
  },
  'no file passes on all of another': {
    rule: 'oxc(no-barrel-file)',
    file: 'apps/bff/src/ground/http/index.ts',
    code: "export * from './w.ts'\n",
  },
  'only main.ts reads the environment': {
    rule: 'node(no-process-env)',
    file: 'apps/bff/src/ground/http/x.ts',
    code: 'export const y = process.env.PORT\n',
  },
  'two files do not import types from each other': {
    rule: 'import(no-cycle)',
    file: 'packages/sources/src/circle/a.ts',
    code: `import type { B } from './b.ts'\nexport type A = { b: B }\n`,
  },
  'nor do they where one names the other by its area': {
    rule: 'import(no-cycle)',
    file: 'packages/sources/src/circle/b.ts',
    code: `import type { A } from '#circle/a.ts'\nexport type B = { a: A }\n`,
  },
  'nothing is any': {
    rule: 'typescript(no-explicit-any)',
    file: 'apps/bff/src/ground/http/y.ts',
    code: 'export const y = (x: any) => String(x)\n',
  },
  'no promise floats': {
    rule: 'typescript(no-floating-promises)',
    file: 'apps/bff/src/ground/http/z.ts',
    code: 'const f = async () => 1\nf()\nexport const y = 1\n',
  },
}

const allowed: Record<string, string> = {
  [`apps/web/src/features/${feature}/ok.ts`]: `import type { x } from '@docket/api-types/status'\nimport { y } from '#lib/x.ts'\nimport { z } from './deep/x.ts'\nexport type X = x\nexport const w = [y, z]\n`,
  [`apps/web/src/features/${feature}/own.ts`]: use(`#features/${feature}/x.ts`),
  'apps/web/src/app/ok.ts': `import { a } from '#features/${feature}/x.ts'\nimport { b } from '#features/${otherFeature}/x.ts'\nexport const w = [a, b]\n`,
  'apps/bff/src/records/agent-jobs/ok.ts': `import { a } from '#service/admin-api/admin-api.ts'\nimport { b } from '#records/x.ts'\nimport { c } from '@docket/api-types/status'\nexport const w = [a, b, c]\n`,
  'apps/bff/src/records/agent-jobs/ok.test.ts': use('#testing/test-app.ts'),
  'apps/bff/src/ground/http/ok.test.ts': use('#records/x.ts'),
  'apps/bff/src/bundles/store/ok.ts': use('@docket/artifact-store/x'),
  'apps/bff/src/service/connections/open-client.ts': use('#service/admin-api/http-admin-api.ts'),
  'apps/bff/src/main.ts': `export const l = async () => [await import('#process/start/start.ts'), process.env.PORT]\n`,
  'apps/bff/src/process/start/start.ts': `import { a } from '#process/areas.ts'\nexport const w = [a]\nexport const l = () => import('#process/metrics/x.ts')\n`,
  'proofs/ok.ts': `import { a } from '#apps/bff/src/ground/config/config.ts'\nimport { b } from '#bench/harness/cleanup.ts'\nexport const w = [a, b, process.env.PORT]\n`,
  'packages/local-admin-api/src/ok.ts': `import { a } from '@docket/sources/x'\nimport { b } from '@docket/artifact-store/x'\nimport { c } from '@docket/site-exporter/x'\nimport { d } from '@docket/code-hosts/x'\nimport { e } from '@docket/doc-agent/x'\nexport const w = [a, b, c, d, e]\n`,
  'packages/outbound/src/ok.ts': `import { x } from 'undici'\nimport { isIP } from 'node:net'\nexport const y = [x, isIP]\n`,
  'packages/sources/src/ok.ts': `import { isIP, type Socket } from 'node:net'\nimport { createServer } from 'node:http'\nimport type { Agent } from 'undici'\nexport type W = [Agent, Socket]\nexport const w = [isIP, createServer]\n`,
  'packages/artifact-store/src/s3/s3-storage.ts': use('@smithy/node-http-handler'),
  'packages/code-hosts/src/ok.test.ts': `export const w = () => fetch('https://example.com')\n`,
  'packages/doc-agent/src/ok.test.ts': use('@docket/sources/testing/files'),
  'packages/site-exporter/src/writer/ok.ts': `import { a } from '#readers/x.ts'\nimport { b } from '#markdown/x.ts'\nimport { c } from '#writer/deep/x.ts'\nimport { d } from './x.ts'\nexport const w = [a, b, c, d]\n`,
  'packages/site-exporter/src/ok.ts': `import { a } from '#readers/x.ts'\nimport { b } from '#writer/x.ts'\nexport const w = [a, b]\n`,
  'apps/web/src/lib/ok.ts': use('@docket/api-types/roles'),
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
  for (const { file, code } of Object.values(refused)) plant(file, code)
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

for (const [name, { rule, file }] of Object.entries(refused)) {
  test(name, () => {
    expect(found).toContainEqual({ rule, file })
  })
}

test('allowed imports are not refused', () => {
  expect(found.filter(({ file }) => file in allowed)).toEqual([])
})

test('every folder of the server is an area, and every feature is bounded', () => {
  const found = readdirSync(join(root, 'apps/bff/src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(found.map(({ name }) => name).toSorted()).toEqual([...serverAreas, 'testing'].toSorted())
  expect(webFeatures).toEqual(expect.arrayContaining(['records/agent-jobs', 'records/static-exports']))
  // What lay beside the features would be bounded by none of them.
  const inNoFeature = trackedFiles(root).filter(({ path }) => /^apps\/web\/src\/features\/([^/]+\/)?[^/]+$/.test(path))
  expect(inNoFeature.map(({ path }) => path)).toEqual([])
})

test('no folder has an index file that passes on the others', () => {
  const names = trackedFiles(root).map(({ path }) => basename(path))
  expect(names.filter((name) => /^index\.[jt]sx?$/.test(name))).toEqual([])
})

test('no helper of tests registers a hook when it is loaded: files share processes, so only the first would have it', () => {
  const helpers = trackedFiles(root)
    .filter(({ path }) => /^(apps|packages)\/.*\.ts$/.test(path) && !/\.(test|prove)\.ts$/.test(path))
    // Vitest runs a set-up file for every file of tests.
    .filter(({ path }) => path !== 'apps/bff/src/testing/one-process.ts')
  const hook = /^(before|after)(All|Each)\(/m
  expect(hook.test('afterAll(() => shared?.drop())')).toBe(true)
  expect(helpers.filter(({ text }) => hook.test(text)).map(({ path }) => path)).toEqual([])
})
