import type { Git } from '@docket/sources/git/git'
import { cut } from '@docket/sources/text'

/** `pages` is null for the whole folder. `limit` is the number of pages that may change. */
export type RecipeWork = {
  checkout: string
  folder: string
  git: Git
  commit: string
  pages?: readonly string[] | null
  limit?: number | undefined
}

export type Lines = { shown: string[]; count: number }

export type Outcome = {
  summary: string
  files: number
  /** `file:line old → new`, one for each change. */
  changes: Lines
  /** `file:line what — why`, one for each finding that a person has to check. */
  findings: Lines
  notes: string[]
}

export type Step = (work: RecipeWork) => Promise<Outcome>

const maxShown = 200

/** Collects lines, and keeps the first 200. */
export const collectLines = () => {
  const lines: Lines = { shown: [], count: 0 }
  /** Calls `line` only for lines that are kept. */
  const add = (line: () => string) => {
    if (lines.shown.length < maxShown) lines.shown.push(cut(line(), 400))
    lines.count += 1
  }
  return { lines, add }
}

export const toLines = (items: readonly string[]): Lines => {
  const { lines, add } = collectLines()
  for (const item of items) add(() => item)
  return lines
}

const shorten = (items: readonly string[]): string =>
  items
    .slice(0, 20)
    .map((item) => cut(item, 200))
    .join(', ') + (items.length > 20 ? `, and ${items.length - 20} more` : '')

export const noteUnread = ({ left, unparsed }: { left: readonly string[]; unparsed: readonly string[] }): string[] => [
  ...(left.length === 0 ? [] : [`Not looked at, because too large or not UTF-8: ${shorten(left)}.`]),
  ...(unparsed.length === 0 ? [] : [`Not looked at, because the file doesn’t parse: ${shorten(unparsed)}.`]),
]

export const formatOutcome = ({ summary, findings, changes, notes }: Outcome): string[] => [
  summary,
  ...notes,
  ...formatLines('', findings),
  ...formatLines('Changed ', changes),
]

const formatLines = (title: string, { shown, count }: Lines): string[] => [
  ...shown.map((line) => title + line),
  ...(count > shown.length ? [`${title}… and ${count - shown.length} more.`] : []),
]
