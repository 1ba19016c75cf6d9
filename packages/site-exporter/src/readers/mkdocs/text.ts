import { openBlocks, readFences, openHtmlBlocks } from '#markdown/mkdocs/blocks.ts'
import { openDefinitions } from '#markdown/mkdocs/definition-lists.ts'
import type { Note } from '#markdown/page-notes.ts'
import type { PieceReader } from '#readers/piece-reader.ts'
import { posix } from 'node:path'
import { limits } from '#site/limits.ts'

type Places = { folders: readonly string[]; appended: readonly string[]; reader: PieceReader }

export const readMkdocsText = async (
  body: string,
  file: string,
  { note, ...places }: Places & { note: Note },
): Promise<string> => {
  const whole = await includeMkdocsSnippets(body, file, places)
  return openDefinitions(openHtmlBlocks(openBlocks(readFences(removeReferences(whole, note)))))
}

const reference = /^:::[ \t]+([A-Za-z_][\w.]{0,200})[ \t]*\n((?:[ \t]+[^\n]*\n|\n(?=[ \t]))*)/gm

/** `::: package.Class` stands for text that MkDocs generates from Python code. */
const removeReferences = (text: string, note: Note) =>
  `${text}\n`.replace(reference, (_, name: string) => {
    note('left-out', `the reference of ${name}, which its tool makes from Python code`)
    return `\n<not-here name="${name}"></not-here>\n\n`
  })

const maxDepth = 4
/** `--8<-- "file:part"`, `{! file !}` and `{* file ln[1:3] hl[2] *}`. */
const single =
  /^([ \t]*)(?:-{1,}8<-{1,}[ \t]+["']([^"'\n]{1,500})["']|\{!>?[ \t]*([^\s{}!]{1,500})[ \t]*!\}|\{\*[ \t]*([^\s{}*]{1,500})([^\n}]{0,300})\*\})[ \t]*$/gm
const list = /^([ \t]*)-{1,}8<-{1,}[ \t]*\n((?:(?![ \t]*-{1,}8<-)[^\n]*\n){1,100})[ \t]*-{1,}8<-{1,}[ \t]*$/gm

/** A missing snippet is replaced by a readable notice. */
const includeMkdocsSnippets = async (
  body: string,
  file: string,
  { folders, appended, reader }: Places,
): Promise<string> => {
  const read = async (name: string) => {
    for (const place of [...folders, posix.dirname(file)]) {
      const content = await reader.read(posix.join(place, name), limits.pageBytes)
      if (content) return content.replace(/\n+$/, '')
    }
    return null
  }
  const include = async (text: string, depth: number): Promise<string> => {
    if (depth >= maxDepth || !/8<-|\{[!*]/.test(text)) return text
    const joined = text.replace(list, (_, space: string, names: string) =>
      names
        .split('\n')
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith(';') && !name.includes('"'))
        .map((name) => `${space}--8<-- "${name}"`)
        .join('\n'),
    )
    let result = ''
    let end = 0
    for (const match of joined.matchAll(single)) {
      const [whole, space = '', snippet, included, shown, options = ''] = match
      const reference = snippet ?? included ?? shown ?? ''
      const [, name = '', part = ''] = /^([^:]*):?(.*)$/s.exec(reference) ?? []
      const content = await read(name)
      const reason = content === null && reader.explain(folders.map((place) => posix.join(place, name)))
      if (content === null) reader.addProblem(`the include ${name}: ${reason || 'there is no such file'}`)
      const inner =
        content === null ? `*${name} is not part of this copy.*` : await include(selectPart(content, part), depth + 1)
      const block = shown === undefined || content === null ? inner : toFence(inner, name, options)
      result += joined.slice(end, match.index) + block.replace(/^(?=.)/gm, space)
      end = match.index + whole.length
      if (result.length > limits.pageBytes) return result
    }
    return result + joined.slice(end)
  }
  const whole = await include(body, 0)
  const ends = await Promise.all(appended.map(read))
  return [whole, ...ends.filter((text) => text !== null)].join('\n\n')
}

/** Lines `2:5` or a section between `--8<-- [start:name]` and `--8<-- [end:name]`. */
const selectPart = (text: string, part: string): string => {
  const lines = text.split('\n')
  const isMark = (line: string) => /8<-+\s*\[(start|end)/.test(line)
  const [, from, to] = /^(\d*)(?::(\d*))?$/.exec(part) ?? []
  if (part === '') return lines.filter((line) => !isMark(line)).join('\n')
  if (from !== undefined) return lines.slice(Math.max(0, Number(from || 1) - 1), Number(to || lines.length)).join('\n')
  const start = lines.findIndex((line) => line.includes(`[start:${part}]`))
  const stop = lines.findIndex((line, index) => index > start && line.includes(`[end:${part}]`))
  const inside = start < 0 ? lines : lines.slice(start + 1, stop < 0 ? lines.length : stop)
  return inside.filter((line) => !isMark(line)).join('\n')
}

/** Code block with the lines in `ln[1,3:5]` and the marked lines in `hl[2]`, numbered as in the whole file. */
const toFence = (code: string, name: string, options: string): string => {
  const lines = code.split('\n')
  const read = (key: string) => new RegExp(`${key}\\[([\\d,: ]{1,200})\\]`).exec(options)?.[1] ?? null
  const [shown, marked] = [toNumbers(read('ln'), lines.length), toNumbers(read('hl'), lines.length)]
  const visible = lines.map((_, index) => index + 1).filter((line) => shown === null || shown.has(line))
  const marks = visible.flatMap((line, index) => (marked?.has(line) ? [index + 1] : []))
  const text = visible.map((line, index) =>
    index > 0 && visible[index - 1] !== line - 1 ? `\n# …\n\n${lines[line - 1]}` : lines[line - 1],
  )
  const meta = marks.length > 0 && shown === null ? ` {${marks.join(',')}}` : ''
  return `\`\`\`\`\`${posix.extname(name).slice(1)}${meta}\n${text.join('\n')}\n\`\`\`\`\``
}

const toNumbers = (list: string | null, max: number): Set<number> | null =>
  list === null
    ? null
    : new Set(
        list.split(',').flatMap((range) => {
          const [from = 1, to = from] = range.split(':').map((number) => Number(number) || 1)
          const length = Math.max(0, Math.min(to, max) - from + 1)
          return Array.from({ length }, (_, index) => from + index)
        }),
      )
