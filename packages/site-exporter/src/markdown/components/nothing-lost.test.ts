import { expect, test } from 'vitest'
import { exportFiles } from '#testing/site.ts'
import { componentNames } from './components.ts'

const attributeSets = [
  '',
  'for="agents" repo="not a name" icon="no such icon"',
  'for="humans" repo="own/er" icon="star" name="named" value="#123456" code="a = 1" lang="js" src="/a.png" href="/"',
  'for="agents" type="add" pkg="left-pad" title="Titled" text="Texted" path="p" slot="title" openable={false}',
]
const htmlElements = 'template noscript object textarea select button form label fieldset marquee'.split(' ')
const elements = [
  ...componentNames.filter((name) => !/^(unknown|unknown-inline|slottabs)$/.test(name)),
  ...htmlElements,
]

test('the text in every known component is on the page or in its Markdown copy, or a line of the report names the component', async () => {
  const cases = elements.flatMap((name, element) =>
    attributeSets.map((attributes, set) => {
      const tag = htmlElements.includes(name) ? name : name[0]!.toUpperCase() + name.slice(1)
      const words = `words-${element}-${set}`
      return { tag, words, path: `page-${element}`, body: `<${tag} ${attributes}>\n\n${words}\n\n</${tag}>\n` }
    }),
  )
  const pages = [...Map.groupBy(cases, ({ path }) => path)].map(
    ([path, some]) => [`${path}.mdx`, `# A page\n\n${some.map(({ body }) => body).join('\nBetween.\n\n')}`] as const,
  )
  const { files, report } = await exportFiles({ 'index.md': '# Home\n', ...Object.fromEntries(pages) })
  const lost = cases.filter(({ tag, words, path }) => {
    const isShown = [`${path}.html`, `${path}.md`].some((file) => files.get(file)!.includes(words))
    return !isShown && !report.lines.some(({ page, what }) => page === path && what.startsWith(`<${tag}>`))
  })
  expect(lost.map(({ body }) => body)).toEqual([])
})

test('what is for agents only is in the Markdown copy with its links, and neither on the page, in its outline nor in the search', async () => {
  const { files, report } = await exportFiles({
    'index.mdx':
      '# Home\n\n<Visibility for="agents">\n\n## For agents\n\nCall [the other](/other) and [here](#for-agents).\n\n- one\n\n</Visibility>\n\nFor all.\n',
    'other.md': '# Other\n',
  })
  expect(files.get('index.md')).toBe(
    '# Home\n\n## For agents\n\nCall [the other](other.md) and [here](#for-agents).\n\n- one\n\nFor all.\n',
  )
  for (const [name, text] of files) if (!/\.md$|^llms/.test(name)) expect(text, name).not.toMatch(/for.agents/i)
  expect(report.lines).toEqual([])
})
