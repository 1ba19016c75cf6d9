import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const words =
  'export bundle page link token request answer queue folder archive reader service domain version status retry limit storage signature browser'.split(
    ' ',
  )

/** The same texts in every run. */
const writeText = (seed: number, length: number) =>
  Array.from({ length }, (_, place) => words[(seed * 31 + place * 17 + ((seed * place) % 13)) % words.length]).join(' ')

const sentence = (seed: number) => `${writeText(seed, 14)}.`.replace(/^./, (letter) => letter.toUpperCase())

const code = (page: number) => `\`\`\`ts
/** Page ${page}. */
export const wait${page} = async (ms: number): Promise<void> => {
  const until = Date.now() + ms
  while (Date.now() < until) await new Promise((resolve) => setTimeout(resolve, ${page % 50}))
}
\`\`\``

const table = (page: number) =>
  [
    '| Field | Type | Meaning |',
    '| --- | --- | --- |',
    ...[1, 2, 3, 4, 5].map((row) => `| \`field${row}\` | string | ${sentence(page + row)} |`),
  ].join('\n')

const writeBody = (page: number, pages: number) => {
  const linked = [1, 7, 31].map((step) => (page + step) % pages)
  const sections = [1, 2, 3, 4].map(
    (section) => `## Section ${section} of ${page}

${sentence(page + section)} ${sentence(page * 2 + section)} ${sentence(page * 3 + section)}

- ${sentence(page + 5)}
- \`${words[page % words.length]}\`: ${sentence(page + 6)}

${section === 2 ? code(page) : section === 3 ? table(page) : `> ${sentence(page + 8)}`}`,
  )
  const links = linked.map((to) => `- [Page ${to}](${linkTo(page, to)}#section-2-of-${to})`)
  return [`# Page ${page}`, sentence(page), ...sections, '## See also', links.join('\n'), ''].join('\n\n')
}

const perFolder = 25
const toFile = (page: number) => `part-${Math.floor(page / perFolder)}/page-${page}.md`
const linkTo = (from: number, to: number) =>
  Math.floor(from / perFolder) === Math.floor(to / perFolder) ? `./page-${to}.md` : `../${toFile(to)}`

/** Writes a site of so many pages as technical documentation is: sections, lists, code, a table and links that hold. */
export const writePages = (folder: string, pages: number): void => {
  const files = Array.from({ length: pages }, (_, page): [string, string] => [toFile(page), writeBody(page, pages)])
  for (const [file, content] of [['index.md', `# Benchmark\n\n${sentence(1)}\n`] as [string, string], ...files]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), content)
  }
}
