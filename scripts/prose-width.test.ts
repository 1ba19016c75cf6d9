import { join } from 'node:path'
import { expect, test } from 'vitest'
import { trackedFiles } from './tracked-files.ts'

const maxColumns = 120

/**
 * Lines of prose that are too long. A table row, a code block, a heading and a line that cannot break keep their
 * length.
 */
const findLongLines = (markdown: string) => {
  let inCode = false
  return markdown.split('\n').filter((line) => {
    if (/^\s*```/.test(line)) inCode = !inCode
    const canBreak = line
      .slice(0, maxColumns)
      .trimStart()
      .replace(/^[-*] |^\d+\. /, '')
      .includes(' ')
    return !inCode && line.length > maxColumns && canBreak && !/^\s*(\||#|```|!\[)/.test(line)
  })
}

test('prose wraps at 120 columns', () => {
  const long = trackedFiles(join(import.meta.dirname, '..'))
    .filter(
      ({ path }) => path.endsWith('.md') && !path.startsWith('scripts/sites/') && path !== 'docs/configuration.md',
    )
    .flatMap(({ path, text }) => findLongLines(text).map((line) => `${path}: ${line}`))
  expect(long).toEqual([])
})
