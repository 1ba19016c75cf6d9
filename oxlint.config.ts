import { defineConfig } from 'oxlint'
import { baseImports, boundaries, serverAreas } from './scripts/boundaries.ts'

const browserGlobals =
  'window document navigator location localStorage sessionStorage history self origin name event parent top status length close open stop print confirm alert prompt'.split(
    ' ',
  )
const openOutside = (name: string) => ({ name, message: 'Connections are opened by packages/outbound.' })

export default defineConfig({
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'node', 'react', 'promise', 'jsx-a11y'],
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  categories: { correctness: 'error' },
  ignorePatterns: ['**/dist/**', 'data/**', 'apps/bff/src/ground/db/migrations/**', 'docs/**', 'test-results/**'],
  rules: {
    'no-restricted-imports': baseImports,
    'import/no-default-export': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'oxc/no-barrel-file': ['error', { threshold: 0 }],
    'node/no-process-env': 'error',
    'no-console': 'error',
    'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'], location: 'anywhere' }],
    // A look, no verdict: no size is worth cutting a thought in two.
    'max-lines': ['warn', { max: 400 }],
    eqeqeq: 'error',
    'no-unused-vars': ['error', { ignoreRestSiblings: true }],
    // No object here has methods that use `this`: they are closures, so taking one off its object is safe.
    'typescript/unbound-method': 'off',
    // A dialog that opens puts the focus into its field, and a scrolling region must be reachable by keyboard.
    'jsx-a11y/no-autofocus': 'off',
    'jsx-a11y/no-noninteractive-tabindex': 'off',
    // <output> is for results of a form; a status elsewhere is role="status".
    'jsx-a11y/prefer-tag-over-role': 'off',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': ['error', { checksVoidReturn: false }],
    'typescript/consistent-type-imports': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
  },
  overrides: [
    {
      files: ['**/*.{test,prove}.ts', '**/*.test.tsx', 'e2e/**/*.spec.ts'],
      rules: { 'max-lines': ['warn', { max: 600 }] },
    },
    // Their tools ask for a default export and give no other way to read the environment.
    {
      files: ['**/*.config.ts', '**/testing/global-setup.ts', 'e2e/support/global-setup.ts'],
      rules: { 'import/no-default-export': 'off', 'node/no-process-env': 'off' },
    },
    {
      files: [
        'apps/bff/src/{docket,main}.ts',
        '**/*.{test,prove}.ts',
        '**/testing/**',
        'bench/**',
        'proofs/**',
        'release/**',
        'scripts/**',
        'e2e/**',
      ],
      rules: { 'node/no-process-env': 'off' },
    },
    // A package hands the environment on to the programs it starts; it takes no setting from there.
    { files: ['packages/**'], rules: { 'node/no-process-env': 'off' } },
    { files: ['bench/**', 'proofs/**', 'release/**', 'scripts/**'], rules: { 'no-console': 'off' } },
    // One type program covers everything that runs in Node, and knows the types of browser tests.
    {
      files: ['apps/bff/**/*.ts', 'packages/**/*.ts'],
      rules: {
        'no-restricted-globals': ['error', ...browserGlobals],
      },
    },
    {
      files: ['apps/bff/src/**/*.ts', 'packages/*/src/**/*.ts'],
      excludeFiles: ['**/*.{test,prove}.ts', '**/testing/**'],
      rules: {
        'no-restricted-globals': [
          'error',
          ...browserGlobals,
          ...['fetch', 'WebSocket', 'EventSource'].map(openOutside),
        ],
      },
    },
    {
      files: [
        'apps/bff/src/{*,process/*,process/start/*}.ts',
        ...serverAreas.map((area) => `apps/bff/src/${area}/${area}.ts`),
      ],
      rules: {
        'no-use-before-define': ['error', { functions: false, classes: false, typedefs: false, variables: true }],
      },
    },
    ...boundaries,
  ],
})
