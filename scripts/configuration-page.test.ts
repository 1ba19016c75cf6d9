import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { configurationFile, configurationPage } from './configuration-page.ts'

test('docs/configuration.md is what `pnpm docs:configuration` prints today', () => {
  expect(readFileSync(configurationFile, 'utf8')).toBe(configurationPage())
})
