import { expect, test } from 'vitest'
import { format } from './format.ts'
import { isSameMeaning } from './tidy-whitespace.ts'

const before = `---
title:   Kept


---


Title
=====
##  Second ##
Text *kept* and __kept__.  
After a break
\`\`\`js
const   kept = 1 


\`\`\`
* one
+ other



| a | b \\| c |
|-|:-:|
| longer | \`x\` |

<div>


</div>

| Wide | ${'x'.repeat(130)} |
|------|---|
|   y  | z |
`

test('headings, blank lines, tables and whitespace get one form, and every other character stays', () => {
  const after = format(before, 'a.md')
  expect(after).toBe(
    before
      .replace('---\n\n\nTitle\n=====\n##  Second ##\nText', '---\n\n\n# Title\n\n## Second\n\nText')
      .replace('a break\n```', 'a break\n\n```')
      .replace('\n```\n* one', '\n```\n\n* one')
      .replace('other\n\n\n\n', 'other\n\n')
      .replace(
        '| a | b \\| c |\n|-|:-:|\n| longer | `x` |',
        '| a      | b \\| c |\n| ------ | :----: |\n| longer |   `x`  |',
      )
      .replace('|------|---|\n|   y  | z |', '| --- | --- |\n| y | z |'),
  )
  expect(isSameMeaning(before, after, 'a.md')).toBe(true)
  expect(format(after, 'a.md')).toBe(after)
})

test('text that only looks like Markdown to format is left alone', () => {
  for (const text of [
    '- a\n\n\n- b\n',
    '> Quoted\n> ===\n',
    '<Tabs>\n\n\n  <Tab />\n\n\n</Tabs>\n',
    '| a |\n|---|\n| b | c |\n',
  ])
    expect(format(text, 'a.mdx')).toBe(text)
})
