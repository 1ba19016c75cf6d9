import { packages, serverSlices, webFeatures } from './slices.ts'

type Pattern = ({ regex: string } | { group: string[] }) & { message: string; allowTypeImports?: boolean }
type Rule = ['error', { patterns: Pattern[] }]
type Area = { files: string[]; excludeFiles?: string[]; forbid: Pattern[] }

const base: Pattern[] = [
  // The glob '../*' would miss deeper paths.
  { regex: String.raw`(^|/)\.\.(/|$)`, message: 'Name the area: import ./sibling.ts or #area/file.ts.' },
  { regex: '^(axios|got)(/|$)', message: 'Their error objects carry the Admin API key. Use undici or fetch.' },
]

const matchAny = (names: readonly string[]) => `(${names.join('|')})`

/** Nothing for an empty list: an empty alternative would match everything. */
const folders = (names: readonly string[], message: string, prefix = '#'): Pattern[] =>
  names.length === 0 ? [] : [{ regex: `^(${prefix}|\\./)${matchAny(names)}/`, message }]

const others = (all: readonly string[], one: string) => all.filter((name) => name !== one)

/** The linter's patterns have no negation, so this names all the others. */
const noPackagesBut = (known: readonly string[], message: string): Pattern => ({
  regex: `^@docket/${matchAny([...packages, 'bff', 'web'].filter((name) => !known.includes(name)))}(/|$)`,
  message,
})

const tests = ['**/*.{test,prove}.ts', '**/*.test.tsx', '**/testing/**']

const contractTypesOnly: Pattern[] = [
  { regex: '^@docket/api-types', allowTypeImports: true, message: 'The web app takes only types from the contract.' },
  noPackagesBut(['api-types', 'return-to'], 'The web app knows the server by its contract.'),
]
const noApp: Pattern = { regex: String.raw`^#(app/|main\.tsx)`, message: 'app/ composes; nothing below imports it.' }
const noFeature: Pattern = { regex: '^#features/', message: 'Only app/ brings features together.' }
const noUi: Pattern = { regex: '^#ui/', message: 'lib/ has no markup.' }
const noReact: Pattern = { regex: '^(react|react-dom|@tanstack/react-.*)(/|$)', message: 'lib/ has no React.' }
const noContract: Pattern = { regex: '^@docket/', message: 'ui/ knows no domain word.' }

const web: Area[] = [
  { files: ['apps/web/src/**'], forbid: [...contractTypesOnly, noApp, noFeature] },
  { files: ['apps/web/src/main.ts'], forbid: [...contractTypesOnly, noFeature] },
  { files: ['apps/web/src/app/**'], forbid: contractTypesOnly },
  { files: ['apps/web/src/ui/**'], forbid: [noContract, noApp, noFeature] },
  { files: ['apps/web/src/lib/**'], forbid: [...contractTypesOnly, noApp, noFeature, noUi, noReact] },
  ...webFeatures.map((feature) => ({
    files: [`apps/web/src/features/${feature}/**`],
    forbid: [
      ...contractTypesOnly,
      noApp,
      ...folders(
        others(webFeatures, feature),
        'A feature never imports another feature: compose them in app/.',
        '#features/',
      ),
    ],
  })),
]

const noMain: Pattern = {
  regex: String.raw`^(#|\./)(main|run|start|work|open-process)\.ts$`,
  message: 'main.ts and docket.ts start Docket and its workers; nothing below imports them.',
}
const noComposition: Pattern = {
  regex: String.raw`^(#|\./)(services|service-dependencies|connection-services|artifact-services|site-services|activity-of-records|recurring-work|app)\.ts$`,
  message:
    'services.ts, connection-services.ts, artifact-services.ts, site-services.ts, activity-of-records.ts, recurring-work.ts and app.ts compose slices; nothing they compose imports them.',
}
const noClient: Pattern = {
  regex: String.raw`^#admin-api/http-admin-api\.ts$`,
  message: 'Only service/connections/open-client.ts, commands and the test wiring know the client behind the port.',
}
const serverPackages = ['api-types', 'return-to', 'addresses', 'embedded-postgres']
const noLocalAdminApi = 'Only its start and the test wiring know the local Admin API and its parts.'
const noWiring: Pattern[] = [noPackagesBut(serverPackages, noLocalAdminApi), noClient]
/** Packages that single slices know beside those of the whole server. */
const slicePackages: Readonly<Record<string, readonly string[]>> = {
  artifacts: ['artifact-store', 'site-bundle'],
  backup: ['artifact-store', 'site-bundle'],
  bundles: ['artifact-store', 'site-bundle'],
  help: ['artifact-store', 'site-bundle'],
  hosting: ['site-bundle'],
  previews: ['site-bundle'],
  'pull-requests': ['code-hosts'],
  targets: ['artifact-store', 'site-bundle', 'site-delivery'],
}
const noSliceWiring = (slice: string): Pattern[] => [
  noPackagesBut([...serverPackages, ...(slicePackages[slice] ?? [])], 'This slice does not know that package.'),
  noClient,
]
const noTesting: Pattern = { regex: '^(#|#.*/|.*/)testing/|^vitest(/|$)', message: 'Test wiring is for tests.' }
const noSlice = (all: readonly string[]) =>
  folders(all, 'A slice never imports another slice, and what slices share knows none.')

const server: Area[] = [
  {
    files: ['apps/bff/src/**'],
    excludeFiles: tests,
    forbid: [noMain, noComposition, noTesting, ...noWiring, ...noSlice(serverSlices)],
  },
  {
    files: ['services', 'connection-services', 'activity-of-records', 'recurring-work', 'app'].map(
      (name) => `apps/bff/src/${name}.ts`,
    ),
    forbid: [noMain, noTesting, ...noWiring],
  },
  {
    files: ['artifact-services', 'service-dependencies'].map((name) => `apps/bff/src/${name}.ts`),
    forbid: [
      noMain,
      noTesting,
      noPackagesBut([...serverPackages, 'artifact-store', 'site-bundle'], noLocalAdminApi),
      noClient,
    ],
  },
  {
    files: ['local-admin-api', 'open-artifacts', 'open-backups'].map((name) => `apps/bff/src/process/start/${name}.ts`),
    forbid: [noMain, noComposition, noTesting, ...noSlice(serverSlices)],
  },
  // One database holds the tables of both.
  {
    files: ['apps/bff/src/ground/db/migrate.ts'],
    forbid: [noMain, noComposition, noTesting, noClient, ...noSlice(serverSlices)],
  },
  {
    files: ['apps/bff/src/service/connections/open-client.ts'],
    forbid: [noMain, noComposition, noTesting, ...noSlice(serverSlices)],
  },
  {
    files: ['main', 'run', 'start', 'work', 'open-process'].map((name) => `apps/bff/src/${name}.ts`),
    forbid: [noTesting],
  },
  ...serverSlices.flatMap((slice): Area[] => {
    const foreign = noSlice(others(serverSlices, slice))
    const files = [`apps/bff/src/${slice}/**`]
    return [
      { files, excludeFiles: tests, forbid: [noMain, noComposition, noTesting, ...noSliceWiring(slice), ...foreign] },
      { files: tests.map((test) => `apps/bff/src/${slice}/${test}`), forbid: [noMain, ...foreign] },
    ]
  }),
  // Commands compose slices, as services.ts does.
  {
    files: ['apps/bff/src/process/commands/**'],
    excludeFiles: tests,
    forbid: [noMain, noTesting, noPackagesBut(serverPackages, noLocalAdminApi)],
  },
  { files: ['apps/bff/src/docket.ts'], forbid: [noTesting, ...noWiring] },
]

/** Other packages that each package may import. */
const packageOrder: Readonly<Record<string, readonly string[]>> = {
  addresses: [],
  sources: ['addresses'],
  'artifact-store': ['addresses'],
  'site-bundle': ['artifact-store'],
  'mdx-language': [],
  'site-exporter': ['sources', 'mdx-language'],
  'code-hosts': ['addresses', 'sources'],
  'doc-agent': ['sources', 'code-hosts'],
  'site-delivery': ['sources', 'artifact-store', 'code-hosts'],
  'local-admin-api': ['sources', 'artifact-store', 'site-exporter', 'code-hosts', 'doc-agent'],
  'embedded-postgres': [],
  'return-to': [],
}

/** Other folders of the exporter that each of its folders may import. Files beside the folders compose them. */
const exporterOrder: Readonly<Record<string, readonly string[]>> = {
  site: [],
  markdown: ['site'],
  openapi: ['site', 'markdown'],
  readers: ['site', 'markdown', 'openapi'],
  mirror: ['site'],
  writer: ['site', 'markdown', 'openapi', 'readers'],
}

/** Packages that only the tests of a package may import. */
const inTests: Readonly<Record<string, readonly string[]>> = { 'local-admin-api': ['embedded-postgres'] }

const knownPackages = (name: string, more: readonly string[] = []) =>
  noPackagesBut([...(packageOrder[name] ?? []), ...more], 'The order of the packages does not allow this import.')

const packageAreas: Area[] = [
  {
    files: ['packages/api-types/src/**'],
    excludeFiles: tests,
    forbid: [{ group: ['*', '!zod', '!./**'], message: 'The contract imports zod and nothing else.' }],
  },
  ...Object.keys(packageOrder).flatMap((name): Area[] => [
    { files: [`packages/${name}/src/**`], excludeFiles: tests, forbid: [knownPackages(name), noTesting] },
    { files: tests.map((test) => `packages/${name}/${test}`), forbid: [knownPackages(name, inTests[name])] },
  ]),
  ...Object.entries(exporterOrder).map(([folder, known]): Area => ({
    files: [`packages/site-exporter/src/${folder}/**`],
    excludeFiles: tests,
    forbid: [
      knownPackages('site-exporter'),
      noTesting,
      { regex: '^#[^/]+$', message: 'Files beside the folders compose them.' },
      ...folders(
        Object.keys(exporterOrder).filter((other) => other !== folder && !known.includes(other)),
        'The order of the folders does not allow this import.',
      ),
    ],
  })),
  {
    files: ['e2e/**'],
    // It starts one as other tests do.
    excludeFiles: ['e2e/support/docket-server.ts'],
    forbid: [{ regex: '^(#apps/|#packages/|@docket/)', message: 'Browser tests know Docket from outside.' }],
  },
]

const noProofs: Pattern = {
  regex: '^#(proofs|bench)/',
  message: 'Product code and browser tests import nothing from proofs/ or bench/.',
}
// Files that no other area has, such as tests outside the slices.
const product: Area = { files: ['apps/**', 'packages/**'], forbid: [] }

/** An override replaces the rule, so each one repeats the base. Later areas win over earlier ones. */
const override = ({ forbid, ...area }: Area): Omit<Area, 'forbid'> & { rules: { 'no-restricted-imports': Rule } } => ({
  ...area,
  rules: { 'no-restricted-imports': ['error', { patterns: [...base, noProofs, ...forbid] }] },
})

/** Rules that hold in every file about what it may import. */
export const baseImports: Rule = ['error', { patterns: base }]

/** Allowed imports, as overrides of the linter's configuration. */
export const boundaries = [product, ...web, ...server, ...packageAreas].map(override)
