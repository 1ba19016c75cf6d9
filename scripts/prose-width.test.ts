import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

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
  const files = execFileSync(
    'git',
    ['ls-files', '*.md', ':!packages/*/fixture*', ':!scripts/sites', ':!docs/configuration.md'],
    {
      encoding: 'utf8',
    },
  )
  const long = files
    .trim()
    .split('\n')
    .flatMap((file) => findLongLines(readFileSync(file, 'utf8')).map((line) => `${file}: ${line}`))
  expect(long).toEqual([])
})
