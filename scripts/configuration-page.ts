import { join } from 'node:path'
import { printConfiguration } from '#apps/bff/src/config/config.ts'

/** Path of the printed page. */
export const configurationFile = join(import.meta.dirname, '..', 'docs', 'configuration.md')

/** The whole of `docs/configuration.md`. */
export const configurationPage = (): string =>
  [
    '# Configuration',
    '',
    'Docket reads its configuration from the environment, once, when it starts. Every mistake is reported in one message.',
    'Nothing is needed to try it: without any of these it keeps its data in `./data` and works on a local Admin API.',
    '',
    printConfiguration().trim(),
    '',
    '<!-- Printed by `pnpm docs:configuration` from apps/bff/src/config/config.ts; a test fails when the two differ. -->',
    '',
  ].join('\n')
