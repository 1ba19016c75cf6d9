import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readFrontMatter } from './front-matter.ts'
import { parseJson, parseYaml } from './parse-data.ts'

const readTitle = (matter: string) => readFrontMatter(`---\n${matter}\n---\nText.\n`).title

test.each([
  '1.10',
  '21E08',
  '007',
  '0x1F',
  '0o17',
  '1_000',
  '.5',
  '+1',
  'yes',
  'No',
  'true',
  'False',
  '2024-01-02',
  '12:30:45',
  '1e3',
  '-0',
  '.inf',
])('the title %s is the text as it was written', (title) => {
  expect(readTitle(`title: ${title}`)).toBe(title)
  expect(readFrontMatter(`---\nsidebar_label: ${title}\ndescription: ${title}\n---\n`)).toMatchObject({
    sidebarTitle: title,
    description: title,
  })
  expect(readTitle(`version: &v ${title}\ntitle: *v`)).toBe(title)
  expect(readFrontMatter(`+++\ntext = """\ntitle = 1\n"""\ntitle = ${title} # 2\n+++\n`).title).toBe(title)
  expect(parseYaml(`nav:\n  - ${title}: a.md`).value).toEqual({ nav: [{ [title]: 'a.md' }] })
  expect(parseYaml(`label: ${title}`).value).toEqual({ label: title })
})

test('numbers, null and other values of keys and titles stay as they were written in JSON, YAML and TOML', () => {
  const json = '{ "title": 1.10, "label": -0, "group": 1e3, "tab": true, "name": null, "order": 1.10 }'
  expect(parseJson(json)).toEqual({
    value: { title: '1.10', label: '-0', group: '1e3', tab: 'true', name: null, order: 1.1 },
    problem: null,
  })
  expect(readFrontMatter('{\n  "title": 1.10\n}\n').title).toBe('1.10')
  expect(parseYaml('- null: a.md\n- ~: b.md\n').value).toEqual([{ null: 'a.md' }, { '~': 'b.md' }])
  expect(readFrontMatter('+++\ntitle = 2024-01-01T10:00:00Z\nweight = 1.10\n+++\n')).toMatchObject({
    title: '2024-01-01T10:00:00Z',
    order: 1.1,
  })
})

test('a title is the text as it was written, whatever the other keys are', () => {
  const word = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9.+_-]{0,12}$/)
  const title = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
  const broken = fc.constantFrom(
    'bad: "open',
    'bad: [1, 2',
    'bad: @x',
    'bad: *nothing',
    'bad: a: b',
    'bad: {',
    '\tbad: x',
    'bad: !!x &',
  )
  fc.assert(
    fc.property(title, fc.array(broken, { maxLength: 2 }), fc.boolean(), (text, others, isFirst) => {
      fc.pre(!/^(null|~)$/i.test(text))
      const lines = isFirst ? [`title: ${text}`, ...others] : [...others, `title: ${text}`]
      const { title: read, problem, body } = readFrontMatter(`---\n${lines.join('\n')}\n---\nText.\n`)
      expect(read).toBe(text)
      expect(body).toBe('Text.\n')
      if (others.length > 0) expect(problem).toMatch(/cannot be read: .+/)
      else expect(problem).toBeNull()
    }),
  )
})

test('a mistake in front matter is named with its line, and loses no other key', () => {
  const { title, description, problem } = readFrontMatter('---\ndescription: All\ntitle: Deploy: the guide\n---\n')
  expect({ title, description }).toEqual({ title: 'Deploy: the guide', description: 'All' })
  expect(problem).toMatch(/Nested mappings.*, line 3$/)
  expect(readTitle('title: "Open\ndescription: x')).toBe('Open')
  expect(readTitle("title: It's: here\nx: [")).toBe("It's: here")
})

test('anchors and merge keys give their values', () => {
  expect(readTitle('base: &b\n  title: Anchored\n<<: *b')).toBe('Anchored')
  expect(readTitle('base: &b\n  title: 1.10\n<<: [*b]\nicon: x')).toBe('1.10')
})

test.each([
  '---\n\n# Rule first\n\ntext\n\n---\n\nmore\n',
  '---\nA sentence.\n---\n',
  '---\n\n- a\n- b\n\n---\n',
  '---\n\n**Note:** this: that\n\n---\n',
  '---\n\nNote: read this.\n\n---\nmore\n',
  '---\n\n<div>\n\n---\n',
  '{"a"} is text\n\n}\n',
  '+++\n\ntext and more\n\n+++\n',
  '---\n',
])('a page that begins with a rule keeps its text: %j', (page) => {
  expect(readFrontMatter(page)).toMatchObject({ body: page, title: null, problem: null })
})

test('TOML and JSON front matter give title and description, and are not text of the page', () => {
  const read = { title: 'One', description: 'Two', body: 'Body\n', problem: null }
  expect(readFrontMatter('+++\ntitle = "One"\nweight = 3\ndescription = \'Two\'\n+++\nBody\n')).toMatchObject({
    ...read,
    order: 3,
  })
  expect(readFrontMatter('{\n  "title": "One",\n  "description": "Two"\n}\nBody\n')).toMatchObject(read)
  expect(readFrontMatter('{"title": "One", "description": "Two"}\nBody\n')).toMatchObject(read)
  const toml = readFrontMatter('+++\ndraft = tru\ntitle = "One"\n+++\nBody\n')
  expect(toml).toMatchObject({ title: 'One', body: 'Body\n' })
  expect(toml.problem).toMatch(/line 2$/)
  const json = readFrontMatter('{\n  "draft": tru,\n  "title": "One"\n}\nBody\n')
  expect(json).toMatchObject({ title: 'One', body: 'Body\n' })
  expect(json.problem).toMatch(/line 2$/)
})
