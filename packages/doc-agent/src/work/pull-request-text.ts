import { count, cut, toLine } from '@docket/sources/text'
import type { CheckResult } from '#runners/runner.ts'
import type { RepositoryRules, Requester } from './repository-rules.ts'

/** Characters. */
const titleLength = 72
const limits = {
  prompt: 4_000,
  report: 20_000,
  reportLine: 2_000,
  checkOutput: 4_000,
  summaryLines: 10,
  summaryLine: 200,
}

/** First prompt line with an instruction, in the operator's pattern. Fits into the subject of a commit where the pattern allows. */
export const toTitle = (
  prompt: string,
  { pattern, projectId, jobId }: { pattern: string; projectId: string; jobId: string },
): string => {
  const lines = prompt.split(/\r\n?|\n/).map((line) => toLine(line, 1_000) ?? '')
  const first = lines.find((line) => line !== '' && !/^wait\s/i.test(line)) ?? 'Update the documentation'
  const around = fillPattern(pattern, { title: '', project: projectId, job: jobId })
  const room = Math.max(20, titleLength - around.length)
  return fillPattern(pattern, { title: neutralise(cut(first, room)), project: projectId, job: jobId })
}

export const toSummary = (report: readonly string[]): string =>
  report
    .map((line) => toLine(line, limits.summaryLine) ?? '')
    .filter((line) => line !== '')
    .slice(0, limits.summaryLines)
    .map(neutralise)
    .join('\n')

const defaultBody = '{report}\n\n{checks}\n\n{prompt}\n\n{asked}\n\n{job}'

/** Leaves out parts without content. Untrusted texts are shortened and have no effect on a code host. */
export const toBody = (
  about: {
    title: string
    projectId: string
    jobId: string
    prompt: string
    requester: Requester | null
    report: readonly string[]
    checks: CheckResult | null
  },
  rules: Pick<RepositoryRules, 'body' | 'requester' | 'jobPage'>,
): string => {
  const { title, projectId, jobId, prompt, requester, report, checks } = about
  // Some accounts use their e-mail address as a name, which must not be published.
  const name = rules.requester === 'none' ? null : toLine(requester?.name.replace(/@.*/, ''), 100)
  const parts = {
    title,
    project: projectId,
    report: quoteReport(report),
    checks: checks === null ? '' : describeChecks(checks),
    prompt: `**Prompt**\n\n${quoteText(cut(prompt, limits.prompt))}`,
    asked: name === null ? '' : `Asked for by ${neutraliseMarkdown(name)}.`,
    job: rules.jobPage === null ? '' : `[Job ${jobId.slice(0, 8)} in Docket](${rules.jobPage(projectId, jobId)})`,
  }
  return fillPattern(rules.body ?? defaultBody, parts)
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

/** Fills in a pattern in one pass, so that inserted texts cannot contain further placeholders. */
const fillPattern = (pattern: string, parts: Readonly<Record<string, string>>) =>
  pattern.replaceAll(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(parts, name) ? parts[name]! : whole))

const quoteReport = (report: readonly string[]) => {
  let length = 0
  const shown = report
    .map((line) => cut(line, limits.reportLine))
    .filter((line) => (length += line.length + 1) <= limits.report)
  const rest = report.length - shown.length
  const lines = rest === 0 ? shown : [...shown, '', `${count(rest, 'more line')} in Docket.`]
  return neutraliseMarkdown(lines.join('\n'))
}

const quoteText = (text: string) =>
  neutraliseMarkdown(text)
    .split(/\r\n?|\n/)
    .map((line) => `> ${line}`)
    .join('\n')

const describeChecks = ({ command, passed, output }: CheckResult) => {
  const heading = `**Checks ${passed ? 'passed' : 'failed'}:** \`${neutraliseMarkdown(toLine(command)?.replaceAll('`', "'") ?? 'checks')}\``
  const text = output.join('\n')
  if (passed || text.trim() === '') return heading
  return `${heading}\n\n${fenceText(neutralise(text.length > limits.checkOutput ? `…${text.slice(-limits.checkOutput)}` : text))}`
}

/** Zero-width space, which invisibly splits a word for machines. */
const gap = '\u200b'

const reference = String.raw`[[(<*_"'\x60]*(?:https?:\/\/|[\w./-]*[#!]\d|GH-\d|[A-Z][A-Z\d]+-\d|issues?\b)`

/** Texts in commits and descriptions that code hosts act on. A gap after the first group disarms them. */
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
const fenceText = (text: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const marks = '`'.repeat(longest + 1)
  return `${marks}text\n${text}\n${marks}`
}
