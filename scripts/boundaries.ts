import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const foldersIn = (path: string): string[] =>
  readdirSync(join(import.meta.dirname, '..', path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

/** The features of the web app as `area/feature`. Read from disk, so that a new folder is bounded from its first file. */
export const webFeatures = foldersIn('apps/web/src/features').flatMap((area) =>
  foldersIn(`apps/web/src/features/${area}`).map((feature) => `${area}/${feature}`),
)

/** The packages. Read from disk, like the features. */
export const packages = foldersIn('packages')

/** The areas of the server, from the top down: each may import those below it. */
export const serverAreas = ['process', 'overview', 'releases', 'bundles', 'records', 'service', 'people', 'ground']

type Pattern = ({ regex: string } | { group: string[] }) & {
  message: string
  allowTypeImports?: boolean
  importNames?: string[]
}
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
  names.length === 0 ? [] : [{ regex: `^${prefix}${matchAny(names)}/`, message }]

const others = (all: readonly string[], one: string) => all.filter((name) => name !== one)

/** The linter's patterns have no negation, so this names all the others. */
const noPackagesBut = (known: readonly string[], message: string): Pattern => ({
  regex: `^@docket/${matchAny([...packages, 'bff', 'web'].filter((name) => !known.includes(name)))}(/|$)`,
  message,
})

const tests = ['**/*.{test,prove}.ts', '**/*.test.tsx', '**/testing/**']

/** Tables of the contract that import nothing, so that no schema gets into the browser with them. */
const contractTables = ['audit-actions', 'roles']
const contract = JSON.parse(readFileSync(join(import.meta.dirname, '../packages/api-types/package.json'), 'utf8')) as {
  exports: Record<string, string>
}
const contractModules = Object.keys(contract.exports)
  .map((path) => path.slice('./'.length))
  .filter((name) => !contractTables.includes(name))

const contractTypesOnly: Pattern[] = [
  {
    regex: `^@docket/api-types/${matchAny(contractModules)}$`,
    allowTypeImports: true,
    message: 'The web app takes only types from the contract, and the tables without schemas.',
  },
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

const openOutside = 'Connections are opened by packages/outbound, with a rule for their addresses and a time limit.'
/** What opens connections to other machines, besides the global `fetch`. */
const noConnections: Pattern[] = [
  { regex: '^(undici|ssh2|@smithy/node-http-handler)(/|$)', allowTypeImports: true, message: openOutside },
  {
    regex: '^(node:)?(http2?|https|net|tls)$',
    importNames: ['default', 'request', 'get', 'connect', 'createConnection', 'Agent', 'Socket', 'TLSSocket'],
    allowTypeImports: true,
    message: openOutside,
  },
]
/** Files that open connections of another kind, or for a library that opens its own. Each names its rule for addresses. */
const connectors = [
  'packages/artifact-store/src/s3/s3-storage.ts',
  'packages/sandbox/src/network/{allow-list-proxy,forwarder}.ts',
  'packages/site-delivery/src/drivers/ssh-connection.ts',
]

const noTesting: Pattern = { regex: '^(#|#.*/|.*/)testing/|^vitest(/|$)', message: 'Test wiring is for tests.' }
const noMain: Pattern = {
  regex: String.raw`^#[^/]+\.ts$`,
  message: 'Files at the top start Docket; nothing imports them.',
}
const noStart: Pattern = {
  regex: String.raw`^(#process/(start/(run|start|work|open-process)|[^/]+)|\./(run|start|work|open-process))\.ts$`,
  message: 'What starts and composes Docket is imported by nothing that it starts and composes.',
}
const noClient: Pattern = {
  regex: String.raw`^#service/admin-api/http-admin-api\.ts$`,
  message: 'Only service/connections/open-client.ts, commands and the test wiring know the client behind the port.',
}

const starters = 'process/start/{run,start,work,open-process}.ts'
const knowClient = ['service/connections/open-client.ts', 'process/commands/**']

/** Packages that a place of the server knows beside those of all of it. A later row wins. */
const serverPlaces: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(serverAreas.map((area) => [`${area}/**`, []])),
  'ground/config/**': ['artifact-store'],
  // One database holds the tables of both.
  'ground/db/{migrate,schemas}.ts': ['local-admin-api'],
  'service/connections/open-client.ts': [],
  'records/pull-requests/**': ['code-hosts'],
  'bundles/**': ['artifact-store', 'site-bundle'],
  'bundles/pictures/**': ['artifact-store', 'sandbox', 'site-bundle'],
  'releases/{hosting,previews}/**': ['site-bundle'],
  'releases/targets/**': ['artifact-store', 'site-bundle', 'site-delivery'],
  'overview/help/**': ['artifact-store', 'site-bundle'],
  'process/disks/**': ['artifact-store'],
  'process/backup/**': ['artifact-store', 'site-bundle'],
  'process/start/open-*.ts': ['artifact-store', 'site-bundle', 'site-exporter'],
  'process/commands/**': ['artifact-store'],
  'process/start/local-admin-api.ts': ['local-admin-api'],
  [starters]: [],
}
/** Tests of these try them with everything that stands on them. */
const triedFromAbove = ['service', 'ground']

const noneAbove = (path: string): Pattern[] =>
  folders(
    serverAreas.slice(0, serverAreas.indexOf(path.split('/')[0]!)),
    'An area imports the areas below it, never one above it.',
  )

const server: Area[] = [
  {
    files: ['apps/bff/src/*.ts'],
    excludeFiles: tests,
    forbid: [noTesting, ...noConnections, noPackagesBut([], 'It starts Docket.')],
  },
  ...Object.entries(serverPlaces).map(([path, known]): Area => ({
    files: [`apps/bff/src/${path}`],
    excludeFiles: tests,
    forbid: [
      noTesting,
      ...noConnections,
      noMain,
      ...noneAbove(path),
      ...(path === starters ? [] : [noStart]),
      ...(knowClient.includes(path) ? [] : [noClient]),
      noPackagesBut(
        ['api-types', 'return-to', 'outbound', 'once', 'embedded-postgres', ...known],
        'This place of the server does not know that package.',
      ),
    ],
  })),
  ...serverAreas
    .filter((area) => !triedFromAbove.includes(area))
    .map((area) => ({
      files: tests.map((test) => `apps/bff/src/${area}/${test}`),
      forbid: [noMain, ...noneAbove(area)],
    })),
]

/** Other packages that each package may import. */
const packageOrder: Readonly<Record<string, readonly string[]>> = {
  outbound: [],
  once: [],
  sources: ['outbound', 'once'],
  'artifact-store': ['outbound'],
  'site-bundle': ['artifact-store'],
  'mdx-language': [],
  'portable-site': ['outbound', 'sources', 'site-bundle'],
  'site-exporter': ['outbound', 'once', 'sources', 'mdx-language', 'site-bundle', 'portable-site'],
  'code-hosts': ['outbound', 'once', 'sources'],
  sandbox: ['outbound'],
  'doc-agent': ['once', 'sources', 'code-hosts', 'sandbox'],
  'site-delivery': ['outbound', 'sources', 'artifact-store', 'code-hosts', 'site-bundle'],
  'local-admin-api': ['once', 'sources', 'artifact-store', 'site-exporter', 'code-hosts', 'doc-agent', 'sandbox'],
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
const inTests: Readonly<Record<string, readonly string[]>> = {
  'local-admin-api': ['embedded-postgres'],
  sandbox: ['sources'],
}

const knownPackages = (name: string, more: readonly string[] = []) =>
  noPackagesBut([...(packageOrder[name] ?? []), ...more], 'The order of the packages does not allow this import.')

const packageAreas: Area[] = [
  {
    files: ['packages/api-types/src/**'],
    excludeFiles: tests,
    forbid: [{ group: ['*', '!zod', '!./**', '!#*/**'], message: 'The contract imports zod and nothing else.' }],
  },
  {
    files: contractTables.map((name) => `packages/api-types/src/ground/${name}.ts`),
    forbid: [{ group: ['*'], message: 'The web app takes this table into the browser, so it imports nothing.' }],
  },
  ...Object.keys(packageOrder).flatMap((name): Area[] => [
    {
      files: [`packages/${name}/src/**`],
      excludeFiles: tests,
      forbid: [knownPackages(name), noTesting, ...(name === 'outbound' ? [] : noConnections)],
    },
    // The same without the rule about connections.
    ...connectors
      .filter((file) => file.startsWith(`packages/${name}/`))
      .map((file) => ({ files: [file], forbid: [knownPackages(name), noTesting] })),
    { files: tests.map((test) => `packages/${name}/${test}`), forbid: [knownPackages(name, inTests[name])] },
  ]),
  ...Object.entries(exporterOrder).map(([folder, known]): Area => ({
    files: [`packages/site-exporter/src/${folder}/**`],
    excludeFiles: tests,
    forbid: [
      knownPackages('site-exporter'),
      noTesting,
      ...noConnections,
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
