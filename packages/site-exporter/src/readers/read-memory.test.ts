import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openSourceFolder } from '@docket/sources/source-folder'
import { writeFolder } from '@docket/sources/testing/files'
import { expect, test } from 'vitest'
import { readSite } from './read-site.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const heapBytes = () => {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

const pages = 80
const text = 'Some words of prose that are long enough for a page. '.repeat(5_000)

test.each<[string, (name: string) => string]>([
  ['YAML front matter', (name) => `---\ntitle: The title of ${name}\ndescription: What ${name} is about\n---\n\n`],
  ['TOML front matter', (name) => `+++\ntitle = "The title of ${name}"\n+++\n\n`],
  ['JSON front matter', (name) => `{ "title": "The title of ${name}", "description": "What ${name} is about" }\n\n`],
  ['a heading', (name) => `# The heading of ${name}\n\n`],
  ['a home page', (name) => `---\nlayout: home\nhero:\n  name: The name of ${name}\n---\n\n`],
])('a site that is read keeps titles, not texts: pages with %s', async (_, start) => {
  const names = Array.from({ length: pages }, (__, index) => `page ${index}`)
  const files = Object.fromEntries(names.map((name) => [`${name}.md`, start(name) + text]))
  const folder = await openSourceFolder(await writeFolder(files))
  const before = heapBytes()
  const site = await readSite(folder, 'Test')
  expect(heapBytes() - before).toBeLessThan((pages * text.length) / 3)
  expect(site.pages.size).toBe(pages)
})
