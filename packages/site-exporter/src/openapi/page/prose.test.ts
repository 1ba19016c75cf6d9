import { h } from 'hastscript'
import { expect, test } from 'vitest'
import { findWording } from '#site/words.ts'
import { renderProse, renderShortProse } from './prose.ts'

test('a description that is repeated is rendered like the first time, whatever was done with that, and its remarks are repeated', () => {
  const text = '# Title\n\nSome **bold** text.\n\n<my-part>Kept.</my-part>\n'
  const render = (make: typeof renderProse) => {
    const remarks: string[] = []
    const content = make(text, { note: (_, what) => remarks.push(what), words: findWording('en') })
    return { content: JSON.stringify(content), remarks, tree: h('div', content) }
  }
  const first = render(renderProse)
  expect(first.remarks.length).toBeGreaterThan(0)
  const short = render(renderShortProse)
  first.tree.children.length = 0
  expect(render(renderProse)).toMatchObject({ content: first.content, remarks: first.remarks })
  expect(render(renderShortProse)).toEqual(short)
  expect(short.content).not.toContain('"h1"')
})
