import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { printConfiguration } from '#apps/bff/src/ground/config/config.ts'

/** Path of the printed page. */
export const configurationFile = join(import.meta.dirname, '..', 'docs', 'configuration.md')

/** The whole of `docs/configuration.md`. */
export const configurationPage = (): string =>
  [
    '# Configuration',
    '',
    'Docket reads its configuration from the environment once, at start. It reports all mistakes in one message.',
    'You can try it without any of these: Docket then keeps its data in `./data` and runs a local Admin API.',
    '',
    printConfiguration().trim(),
    '',
    '<!-- Printed by `pnpm docs:configuration` from apps/bff/src/ground/config/config.ts; a test fails when the two differ. -->',
    '',
  ].join('\n')

if (import.meta.main) writeFileSync(configurationFile, configurationPage())
