import { mapNames } from '#site/data.ts'

export type LineMark = 'marked' | 'added' | 'removed' | 'focused' | 'wrong' | 'doubtful'

/** Code block for display, with tool instructions turned into marks. Line numbers start at 1. */
export type CodeBlock = {
  code: string
  language: string
  title: string | null
  marks: ReadonlyMap<number, LineMark>
  looks: readonly CodeLook[]
}

/** How to show code: long lines wrapped, lines numbered, or only the first lines until the reader expands them. */
type CodeLook = 'wrap' | 'lines' | 'expandable'

/** Maximum length of the meta, because several regular expressions scan it. Characters. */
const maxMeta = 1_000

/** `titles` are those of languages whose code stands for a drawing. */
export const readCodeBlock = (source: string, name: string, allMeta: string, titles: Titles = {}): CodeBlock => {
  const meta = allMeta.slice(0, maxMeta)
  const language = aliases.get(name) ?? name
  const visible = takeMagicComments(removeHiddenLines(source, language, meta))
  const { code, marks } = markByComments(visible.code)
  for (const line of [...visible.lines, ...parseLines(meta)]) if (!marks.has(line)) marks.set(line, 'marked')
  for (const [name, mark] of [
    ['ins', 'added'],
    ['del', 'removed'],
    ['focus', 'focused'],
  ] as const)
    for (const line of parseNamedLines(meta, name)) marks.set(line, mark)
  const title = findTitle(removeSearches(meta, code)) ?? (Object.hasOwn(titles, language) ? titles[language]! : null)
  return { code, language, title, marks, looks: findLooks(meta) }
}

const lookNames: Readonly<Record<CodeLook, RegExp>> = {
  wrap: /(?:^|\s)wrap(?:=\{?true\}?)?(?=\s|$)/,
  lines: /(?:^|\s)(?:lines|showLineNumbers|line-numbers|numbered)(?:=\{?true\}?)?(?=\s|$)/i,
  expandable: /(?:^|\s)expandable(?:=\{?true\}?)?(?=\s|$)/,
}

const findLooks = (meta: string): CodeLook[] => {
  const words = meta.replace(/"[^"]*"|'[^']*'|\[[^\]]*\]/g, '')
  return (Object.keys(lookNames) as CodeLook[]).filter((look) => lookNames[look].test(words))
}

const aliases = mapNames({
  go: 'golang',
  bash: 'curl',
  rust: 'mir',
  sh: 'sh-vue',
  js: 'js-vue',
  ts: 'ts-vue',
  json: 'jsonl json-vue',
  '': 'plaintext plain text txt none language ignore',
})

type Titles = Readonly<Record<string, string>>

const flags = new Set(
  'lines wrap expandable twoslash copy nocopy showlinenumbers numbered diff live noinline line-numbers no-line-numbers nolinenumbers'.split(
    ' ',
  ),
)

/** Finds the title: `title="…"`, `[…]`, or the first bare words. */
const findTitle = (meta: string) => {
  const explicit = /(?:title|filename|file)=(?:"([^"]*)"|'([^']*)'|(\S+))/.exec(meta)?.slice(1).find(Boolean)
  if (explicit) return explicit
  // `npm ~vscode-icons:file~` names an icon for one tool.
  const bracketed = /\[([^\]]+)\]/
    .exec(meta)?.[1]
    ?.replace(/\s*~[^~]*~\s*$/, '')
    .trim()
  if (bracketed) return bracketed
  const words = meta
    .replace(/\{[^}]*\}|[\w-]+=("[^"]*"|'[^']*'|\{[^}]*\}|\S+)|:[\w-]+(=\S+)?/g, ' ')
    .split(/\s+/)
    .filter((word) => word && !word.startsWith(',') && !flags.has(word.toLowerCase()))
  return words.join(' ').slice(0, 80) || null
}

const removeSearches = (meta: string, code: string) =>
  meta.replace(/(^|\s)(?:"([^"]*)"|\/[^/\s]+\/)(?=\s|$)/g, (whole, space: string, words?: string) =>
    words === undefined || code.includes(words) ? space : whole,
  )

const maxLines = 10_000

/** Parses `{1,3-5}`, `highlight={…}` and similar lists. */
const parseLines = (meta: string): number[] => {
  const list =
    /(?:^|[\s:\w-]|\b(?:highlight|mark|lines)=)\{([\d\s,-]+)\}/.exec(meta.replace(/focus=\{[^}]*\}/g, ''))?.[1] ?? ''
  return toNumbers(list)
}

/** Parses `ins={1,3-5}` and `del={2}`. */
const parseNamedLines = (meta: string, name: string) =>
  toNumbers(new RegExp(`\\b${name}=\\{([\\d\\s,-]+)\\}`).exec(meta)?.[1] ?? '')

const toNumbers = (list: string): number[] =>
  list.split(',').flatMap((part) => {
    const [, from, to = from] = /^\s*(\d{1,5})(?:\s*-\s*(\d{1,5}))?\s*$/.exec(part) ?? []
    if (from === undefined) return []
    const count = Math.max(0, Math.min(Number(to) - Number(from) + 1, maxLines))
    return Array.from({ length: count }, (_, index) => Number(from) + index)
  })

const kinds = mapNames<LineMark>({
  added: '++',
  removed: '--',
  marked: 'highlight hl',
  focused: 'focus',
  wrong: 'error',
  doubtful: 'warning',
})

const notation = /^\[!code ([^\]\n]{1,200})\]\s*(?:\*\/\}?|-->)?$/
const commentStart = /(?:\/\/|\{?\/\*|<!--|#|--|;|%|')$/

const splitNotation = (line: string): { text: string; instruction: string | null } => {
  const at = line.lastIndexOf('[!code ')
  const instruction = at < 0 ? null : notation.exec(line.slice(at).trimEnd())
  const before = line.slice(0, Math.max(0, at)).trimEnd()
  const start = instruction && commentStart.exec(before.slice(-4))
  return start
    ? { text: before.slice(0, before.length - start[0].length).trimEnd(), instruction: instruction![1]!.trim() }
    : { text: line, instruction: null }
}

/** Replaces comments such as `// [!code ++]` by marks. */
const markByComments = (source: string) => {
  const marks = new Map<number, LineMark>()
  if (!source.includes('[!code ')) return { code: source, marks }
  const lines: string[] = []
  for (const line of source.split('\n')) {
    const { text, instruction } = splitNotation(line)
    const [, name = '', count = '1'] = /^([a-z]+|\+\+|--)(?::(\d{1,4}))?$/.exec(instruction ?? '') ?? []
    // A comment on a line of its own refers to the next lines.
    if (!instruction || text.trim() !== '') lines.push(text)
    const first = text.trim() === '' && instruction ? lines.length + 1 : lines.length
    const kind = kinds.get(name)
    for (let index = 0; kind && index < Number(count); index++) marks.set(first + index, kind)
  }
  return { code: lines.join('\n'), marks }
}

const terminal = new RegExp(`${String.fromCodePoint(27)}\\[[\\d;]*[A-Za-z]`, 'g')

/** Removes lines that only compilers and type checkers need, and terminal colours. */
const removeHiddenLines = (source: string, language: string, meta: string) => {
  if (language === 'ansi') return source.replace(terminal, '')
  if (language === 'rust') return source.replace(/^[ \t]*#(?:[ \t].*)?(?:\n|$)/gm, '').replace(/^([ \t]*)##/gm, '$1#')
  if (!/\btwoslash\b/.test(meta)) return source
  const cut = [...source.matchAll(/^[ \t]*\/\/ ?---cut(?:-before)?---.*\n/gm)].at(-1)
  const rest = cut ? source.slice(cut.index + cut[0].length) : source
  return rest
    .replace(/^[ \t]*\/\/ ?---cut-after---.*$/ms, '')
    .replace(/^[ \t]*\/\/ *(?:@[\w-]+.*|\^[?|^].*)(?:\n|$)/gm, '')
}

const magicComment =
  /^(?:\/\/|#|--|%|;|REM\b|<!--|\{?\/\*)?[ \t]*highlight-(next-line|start|end)[ \t]*(?:-->|\*\/\}?)?$/

/** Removes lines such as `// highlight-next-line` and `# highlight-start`, and returns the numbers of the lines they mark. */
const takeMagicComments = (source: string): { code: string; lines: number[] } => {
  if (!source.includes('highlight-')) return { code: source, lines: [] }
  const kept: string[] = []
  const lines: number[] = []
  let [isOpen, isNext] = [false, false]
  for (const line of source.split('\n')) {
    const text = line.trim()
    const command = text.length > 100 || text.startsWith('highlight-') ? undefined : magicComment.exec(text)?.[1]
    if (command === 'next-line') isNext = true
    else if (command !== undefined) isOpen = command === 'start'
    else {
      kept.push(line)
      if (isOpen || isNext) lines.push(kept.length)
      isNext = false
    }
  }
  return { code: kept.join('\n'), lines }
}
