import { join } from 'node:path'
import { expect, test } from 'vitest'
import { trackedFiles } from './tracked-files.ts'

const tracked = trackedFiles(join(import.meta.dirname, '..'))
const flatten = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll('’', "'")
/** The web app, and the tables of roles whose words it shows. */
const app = tracked
  .filter(({ path }) => /^(apps\/web|packages\/api-types)\/src\/.*\.tsx?$/.test(path))
  .filter(({ path }) => !/\.test\.tsx?$|\/testing\//.test(path))
  .map(({ text }) => flatten(text))
  .join('\n')

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/**
 * Labels that a page of the guide emphasises within a sentence, as `**Start export**`; those at the beginning of a line
 * may be titles of paragraphs. `›` separates the parts of a path. A number or an ellipsis at the end stands for a value.
 */
const readLabels = (markdown: string): string[] => {
  const emphasised = [...markdown.matchAll(/\*\*([^*]+)\*\*/g)].filter(
    ({ index }) => !/(^|\n)\s*([-*]|\d+\.)?\s*$/.test(markdown.slice(0, index)),
  )
  const labels = emphasised.flatMap(([, label = '']) => flatten(label).split(' › '))
  return [...new Set(labels.map((label) => label.replace(/ (\d+|…)$/, '')))]
}

/** True if the label is a whole text of the app, or the beginning of one that continues with a value. */
const isInApp = (label: string): boolean =>
  new RegExp(String.raw`["'\`>}] ?${escape(label)}…?( \()? ?["'\`<{$]`).test(app)

const guide = tracked.filter(({ path }) => /^docs\/guide\/.*\.mdx?$/.test(path))

test('every label that the guide emphasises is a text of the app', () => {
  const labels = guide.flatMap(({ path, text }) => readLabels(text).map((label) => ({ path, label })))
  expect(labels.length).toBeGreaterThan(100)
  expect(labels.filter(({ label }) => !isInApp(label))).toEqual([])
})

test('a label that the app does not have is reported', () => {
  const text = '**A title.** Press **Promote to\nreaders** or **Roll back to release 1** in **Settings › People**.'
  expect(readLabels(text)).toEqual(['Promote to readers', 'Roll back to release', 'Settings', 'People'])
  expect(['Promote to readers', 'Start exp', 'tart export'].filter(isInApp)).toEqual([])
})
