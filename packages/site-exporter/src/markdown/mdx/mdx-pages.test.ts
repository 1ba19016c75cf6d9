import { expect, test } from 'vitest'
import { exportFiles } from '#testing/site.ts'

const article = (html: string | undefined) =>
  /<article[^>]*>([\s\S]*?)<\/article>/.exec(html ?? '')?.[1]?.replace(/\s+/g, ' ') ?? ''

/** Content of the only page of a source, and the remarks about it. */
const exportPage = async (page: string, others: Readonly<Record<string, string>> = {}) => {
  const { files, report } = await exportFiles({ 'index.mdx': page, ...others })
  return {
    html: article(files.get('index.html')),
    remarks: report.lines.filter(({ page }) => page === 'index').map(({ what }) => what),
  }
}

test('expressions, local components and lists of data are evaluated into page content', async () => {
  const { html, remarks } =
    await exportPage(`export const Big = ({ name, size = 'large', children }) => <b title={size}>{name}: {children}</b>
export const plans = [{ id: 'free', limits: { calls: 10 } }, { id: 'pro', limits: { calls: 1_000 } }]
export function Row({ plan, ...rest }) {
  const label = plan.limits.calls > 100 ? 'many' : 'few'
  if (!plan.id) return null
  return <li {...rest}>{plan.id.toUpperCase()} {label}</li>
}

# Title

<Big name="One">the **inside**</Big>

<ul>{plans.map((plan) => <Row key={plan.id} plan={plan} />)}</ul>

{\`a-\${plans[1].id}\`} {plans.length > 1 && <i>more than one</i>} {plans.map((plan) => plan.id).join(' or ')}

<Card title={<>A <b>bold</b> title</>} href={"/" + "x"}>card</Card>
`)
  expect(html).toContain('<b title="large">One: the <strong>inside</strong></b>')
  expect(html).toContain('<li>FREE few</li><li>PRO many</li>')
  expect(html).toContain('a-pro <i>more than one</i> free or pro')
  expect(html).toContain('A <b>bold</b> title')
  expect(remarks).toEqual(['/x: there is no such file'])
})

test('braces around an undefined name stay as written', async () => {
  const { html, remarks } = await exportPage('# Title\n\nSet {OWN_NAME} and {contact.name}, {1 + [].x.y}.\n')
  expect(html).toContain('Set {OWN_NAME} and {contact.name}, <span class="not-here">')
  expect(remarks).toEqual(['an expression: {OWN_NAME}', 'an expression: {contact.name}', 'an expression: {1 + [].x.y}'])
})

test('imports of components, pages, data, images and named snippets resolve relative to the importing file', async () => {
  const { html, remarks } = await exportPage(
    `import Part from './parts/part.mdx'
import { Hello, words as all } from "/snippets/hello.tsx"
import data from './data.json'
import Shape from './parts/shape.svg'
import code from './parts/code.sh?raw'

# Title

<Part word="apple" />

- in a list: <Hello who={all[1]} />

{data.items.map((item) => <em>{item}</em>)} {data.constructor}

<img src={Shape} alt="shape" />

<Snippet file="old.mdx" />

<Frame caption={code}>

export const inside = 'declared inside'

{inside}

</Frame>
`,
    {
      'parts/part.mdx': `import { Hello } from '../snippets/hello'\n\n## About {word}\n\n<Hello who={props.word} /> [link](https://example.com/{word})\n\n\`\`\`sh\nnpm i {word} {other}\n\`\`\`\n`,
      'parts/code.sh': 'echo raw',
      'parts/shape.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
      'snippets/hello.tsx': `type Props = { who: string }\nexport const words: string[] = ['a', 'b']\nexport const Hello = ({ who }: Props) => <b>Hello {who as string}</b>\n`,
      'data.json': '{ "items": ["x", "y"], "__proto__": 1 }',
      '_snippets/old.mdx': 'From the **old** folder',
      'docs.json': '{ "name": "D", "navigation": { "pages": ["index"] } }',
    },
  )
  for (const part of [
    'About apple</h2>',
    '<b>Hello apple</b> <a href="https://example.com/apple"',
    'npm i apple {other}',
    'in a list: <b>Hello b</b>',
    '<em>x</em><em>y</em>',
    'From the <strong>old</strong> folder',
    '<figcaption>echo raw</figcaption>',
    'declared inside',
  ])
    expect(html.replace(/<\/?span[^>]*>/g, '')).toContain(part)
  expect(html).toMatch(/<img src="media\/[^"]*" alt="shape"/)
  expect(remarks).toEqual([])
})

test('an element that cannot be evaluated keeps its children and titles, and is reported', async () => {
  const { html, remarks } = await exportPage(`import { Chart } from 'charts'
export const Later = function* () { return <b>x</b> }
export const Half = ({ children }) => <div>before {fetch('/x')} {children}</div>

# Title

<Half>kept *one*</Half>

<Later>kept two</Later>

<Card title="kept title" onClick={() => alert(1)} icon={load()}>kept three</Card>

<Chart {...props}>kept four</Chart>

{window.location.href}
`)
  for (const part of ['before', 'kept <em>one</em>', 'kept two', 'kept title', 'kept three', 'kept four'])
    expect(html).toContain(part)
  expect(remarks).toEqual(
    expect.arrayContaining([
      'an import: Chart from charts',
      'an expression: {window.location.href}',
      '<Half>: a call of fetch()',
      'an attribute: onClick of <Card>',
      'an attribute: icon of <Card> (a call of load())',
    ]),
  )
  expect(remarks.join()).toContain('the generator Later')
})

test('an import cycle is reported with its file names, and its content appears once', async () => {
  const { html, remarks } = await exportPage(
    `import A from './a.mdx'
export const Loop = () => <p>loop <Loop /></p>

<A />

<Loop />
`,
    {
      'a.mdx': `import B from './b.mdx'\n\nfrom a\n\n<B />\n`,
      'b.mdx': `import A from './a.mdx'\n\nfrom b\n\n<A />\n`,
    },
  )
  expect(html.match(/from a/g)).toHaveLength(1)
  expect(html.match(/from b/g)).toHaveLength(1)
  expect(html.match(/loop/g)).toHaveLength(1)
  expect(remarks).toContain('<A>: a cycle: a.mdx → b.mdx → a.mdx')
  expect(remarks).toContain('<Loop>: a cycle: Loop → Loop')
})

test('a page that multiplies its content stops at its budget and keeps its literal content', async () => {
  const doubled = Array.from({ length: 40 }, (_, at) => `export const a${at + 1} = <>{a${at}}{a${at}}</>`).join('\n')
  const { html, remarks } = await exportPage(`export const a0 = <b>x</b>
${doubled}

# Title

{a40}

<Card title="a title">still here</Card>
`)
  expect(html).toContain('a title')
  expect(html).toContain('still here')
  expect(html.length).toBeLessThan(5_000)
  expect(remarks.join()).toContain('more steps than a page may take')
})

test('site variables are replaced in text, code and imported Markdown', async () => {
  const { html } = await exportPage('import P from "./p.mdx"\n\nv{{version}} {{ none }} `{{api-url}}`\n\n<P />\n', {
    'p.mdx': 'piece {{version}}',
    'docs.json':
      '{ "variables": { "version": "2.0", "api-url": "https://a.example" }, "navigation": { "pages": ["index"] } }',
  })
  expect(html).toContain('v2.0')
  expect(html).toContain('<code>https://a.example</code>')
  expect(html).toContain('piece 2.0')
})
