/** Zero-width space: splits a word for machines, and shows nothing. */
const gap = '\u200b'

const reference = String.raw`[[(<*_"'\x60]*(?:https?:\/\/|[\w./-]*[#!]\d|GH-\d|[A-Z][A-Z\d]+-\d|issues?\b)`

/** What code hosts act on in commits and descriptions, and where the gap goes: after the first group. */
const actions: readonly RegExp[] = [
  // Keywords that close an issue, with the issue or its address behind them.
  new RegExp(
    String.raw`\b([a-z])(?=(?:los(?:e|es|ed|ing)|ix(?:|es|ed|ing)|esolv(?:e|es|ed|ing)|mplement(?:|s|ed|ing)|eopen(?:|s|ed|ing))\b:?\s+${reference})`,
    'gi',
  ),
  // References themselves: #12, !12, GH-12.
  /([#!])(?=\d)/g,
  /\b(GH)(?=-\d)/gi,
  // Mentions of people and teams.
  /(@)(?=[\w-])/g,
  // Marks that skip the checks of a commit.
  /(\[)(?=\s*(?:skip|no|ci|actions)[ -](?:ci|skip|actions)\s*\])/gi,
  /(\*\*\*NO)(?=_CI)/gi,
  // Lines that git reads as trailers.
  /^(\s*(?:[\w-]+-by|skip-checks|change-id))(?=\s*:)/gim,
]

/** Text from pages, prompts or agents that no code host acts on: no mention, closed issue, skipped check or trailer. */
export const neutralise = (text: string): string =>
  actions.reduce((current, pattern) => current.replace(pattern, `$1${gap}`), text)

/** The same for Markdown: HTML, comments and images have no effect either. */
export const neutraliseMarkdown = (text: string): string =>
  neutralise(text)
    .replaceAll(/<(?=[a-z/!?])/gi, `<${gap}`)
    .replaceAll(/!(?=\[)/g, `!${gap}`)
    // A command of GitLab begins a line.
    .replaceAll(/^(\s*)\/(?=[a-z])/gim, `$1${gap}/`)

/** A block of plain text whose fence the text cannot end. */
export const fence = (text: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const marks = '`'.repeat(longest + 1)
  return `${marks}text\n${text}\n${marks}`
}
