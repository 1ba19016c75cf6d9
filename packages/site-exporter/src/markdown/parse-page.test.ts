import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { expect, test } from 'vitest'
import { autolinkSparingly } from './parse-page.ts'

test('literal addresses become the same links as with remark-gfm', () => {
  const texts = [
    'https://a.example, www.b.example. and me@c.example',
    '[https://a.example and **me@b.example [www.c.example** d',
    '[a https://b.example](https://c.example) and [www.d.example][e]\n\n[e]: /e',
    '| me@a.example | [www.b.example |\n| --- | --- |\n| https://c.example | mailto:me@d.example |',
    '> - *me&#64;a.example* https&colon;//b.example WWW.C.EXAMPLE xmpp:me@d.example/x\n',
    '# _me@a.example_ b\n\n- mailto:me\\@b.example',
    '> WWW&#46;a.example\n\n[www.b.example',
    'https&colon;//a.example **[https://b.example**',
    '`https://a.example`\n\n    me@b.example\n\nno address, and <me@c.example>',
  ]
  const theirs = unified().use(remarkParse).use(remarkGfm)
  const ours = unified().use(remarkParse).use(remarkGfm).use(autolinkSparingly)
  for (const text of texts) expect(ours.parse(text), text).toEqual(theirs.parse(text))
})
