import { posix } from 'node:path'
import { codeLines } from '#markdown/code/code-lines.ts'
import type { Piece } from '#markdown/mdx/page-pieces.ts'

const registration = /\.component\(\s*["']([\w-]{1,100})["']\s*,\s*([A-Za-z_$][\w$]{0,100})\s*\)/g
const defaultImport = /^import\s+([A-Za-z_$][\w$]{0,100})\s+from\s+["']([^"'\n]{1,300})["']/gm
const themeFiles = ['index.ts', 'index.js', 'index.mts', 'index.mjs']

/** Folder of the VitePress theme that a site at `root` may have, most likely first. */
export const themeFolders = (root: string): string[] =>
  [...new Set([root, posix.join(root, '../'), ''])]
    .filter((folder) => !folder.startsWith('..'))
    .map((folder) => posix.join(folder, '.vitepress/theme/'))

/** Components that a theme registers for every page: names under which a page finds them, and their files. */
export const readRegistered = async (
  read: (file: string) => Promise<string | null>,
  root: string,
): Promise<{ name: string; folder: string; specifier: string }[]> => {
  for (const folder of themeFolders(root))
    for (const file of themeFiles) {
      const source = await read(folder + file)
      if (source === null) continue
      const imports = new Map([...source.matchAll(defaultImport)].map(([, local = '', from = '']) => [local, from]))
      return [...source.matchAll(registration)].flatMap(([, name = '', local = '']) => {
        const specifier = imports.get(local)
        return specifier === undefined ? [] : [{ name: toCapitals(name), folder, specifier }]
      })
    }
  return []
}

const toCapitals = (name: string) => name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** True if `text` has an element of that name, in any notation. */
export const hasElement = (text: string, name: string): boolean =>
  new RegExp(`<${name.replaceAll(/(?<=.)([A-Z])/g, '-?$1')}[\\s/>]`, 'i').test(text)

/** Files with the texts of a Starlight site, the language of a page first. Only components that mention them need any. */
export const listStrings = (root: string, file: string, pieces: Iterable<Piece>): string[] => {
  if (![...pieces].some(({ source }) => source?.includes('locals.t('))) return []
  const [language = ''] = file.slice(root.length).split('/')
  return [language, 'en'].map((name) => posix.join(root, '../i18n', `${name}.json`))
}

const tag = /(`+)[^`]*\1|<[A-Za-z][\w.-]*(?:\s+(?:[^\s"'<>=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?))*\s*\/?>/g
const vueAttribute = /(\s)(?:@[\w:.-]+(?:=(?:"[^"]*"|'[^']*'))?|#([\w-]+))(?=[\s=/>])/g

/** Markdown knows no attributes such as `@click` and `#title`: events go, and slots get their long name. */
export const openVueTags = (markdown: string): string => {
  if (!/\s[@#][\w-]/.test(markdown)) return markdown
  const isCode = codeLines()
  const parts: { isCode: boolean; lines: string[] }[] = []
  for (const line of markdown.split('\n')) {
    const code = isCode(line)
    const last = parts.at(-1)
    if (last?.isCode === code) last.lines.push(line)
    else parts.push({ isCode: code, lines: [line] })
  }
  return parts.map(({ isCode: code, lines }) => (code ? lines.join('\n') : openTags(lines.join('\n')))).join('\n')
}

const openTags = (text: string) =>
  text.replace(tag, (whole) =>
    whole.startsWith('`')
      ? whole
      : whole.replace(vueAttribute, (_, space: string, slot?: string) => (slot ? `${space}v-slot:${slot}` : '')),
  )
