import { expect, test } from 'vitest'
import { exportFiles, linkProblems } from '#testing/site.ts'

/** Pseudo-random numbers, the same in every run. */
const randomFrom = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed / 2_147_483_648
}

const names =
  `Card CardGroup CardGrid LinkCard LinkButton Link Tabs Tab TabItem Steps Step Accordion Frame Update Tooltip Banner Panel
View Tile Columns Column Badge Aside Note Prompt ParamField ResponseField CodeGroup FileTree Expandable Image Code Details Fragment
PackageManagers Unknown Hero FeatureList ui.Box Section Table Button Video Form Map`.split(/\s+/)
const attributes = ['title', 'label', 'text', 'href', 'description']

/** Source around a word, for a clear failure message. */
const excerpt = (body: string, word: string) =>
  body.slice(Math.max(0, body.search(new RegExp(`${word}(?!\\d)`)) - 160)).slice(0, 260)

/** MDX of random elements, and every word of it that a page must show. */
const generate = (seed: number) => {
  const random = randomFrom(seed)
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!
  const words: string[] = []
  const word = (kind: string) => {
    const text = `${kind}${seed}x${words.length}`
    words.push(text)
    return text
  }
  const element = (depth: number, isInline: boolean): string => {
    const name = pick(names)
    const given = attributes
      .filter(() => random() < 0.3)
      .map((key) => `${key}="${key === 'href' ? `https://${word('href')}.example/` : word(key)}"`)
    const slot = random() < 0.1 ? [`slot="${pick(['npm', 'title', 'description', 'other'])}"`] : []
    const children = Array.from({ length: depth > 2 ? 0 : Math.floor(random() * 3) }, () =>
      element(depth + 1, isInline),
    )
    if (random() < 0.4) children.push(word('body'))
    const open = `<${[name, ...given, ...slot].join(' ')}`
    if (children.length === 0) return `${open} />`
    return isInline ? `${open}>${children.join(' ')}</${name}>` : `${open}>\n\n${children.join('\n\n')}\n\n</${name}>`
  }
  const body = Array.from({ length: 12 }, () =>
    random() < 0.3 ? `${word('before')} ${element(2, true)} ${word('after')}` : element(0, random() < 0.2),
  ).join('\n\n')
  return { body, words }
}

test('every literal title, label, text, description and address in generated MDX appears on the page', async () => {
  const pages = Array.from({ length: 25 }, (_, index) => generate(index + 1))
  const { files } = await exportFiles(
    Object.fromEntries(pages.map(({ body }, index) => [`page-${index}.mdx`, `# Page ${index}\n\n${body}\n`])),
  )
  const lost = pages.flatMap(({ words }, index) => {
    const article = /<article>([\s\S]*)<\/article>/.exec(files.get(`page-${index}.html`)!)![1]!
    // Attributes that are not shown to readers do not count.
    const shown = article.replaceAll(/ (?:id|data-[a-z]+|for|aria-controls)="[^"]*"/g, '')
    return words
      .filter((word) => !new RegExp(`${word}(?!\\d)`).test(shown))
      .map((word) => excerpt(pages[index]!.body, word))
  })
  expect(lost).toEqual([])
  expect(linkProblems(files)).toEqual([])
})
