import type { PageChange, SiteComparison } from './site-comparison.ts'

/** Pages per section; a longer list helps no reader. */
const maxPages = 200

export type NotedSite = { version: string | null; date: string }

/** Returns Markdown. The same comparison gives the same note. */
export const writeReleaseNote = (
  { pages, shared, counts }: SiteComparison,
  { earlier, later }: { earlier: NotedSite; later: NotedSite },
): string => {
  const select = (kind: PageChange['kind']) => pages.filter((page) => page.kind === kind)
  const changed = select('changed').filter(({ parts }) => parts.some((part) => part !== 'links'))
  const sections = [
    writeSection('New pages', select('added').map(writeLink)),
    writeSection('Changed pages', changed.map(writeLink)),
    writeSection(
      'Moved pages',
      select('moved').map((page) => `${writeLink(page)}, before at ${escapeMarkdown(page.from ?? '')}`),
    ),
    writeSection(
      'Removed pages',
      select('removed').map(({ title, address, redirect }) => {
        const name = title === '' ? escapeMarkdown(address) : `${escapeMarkdown(title)} (${escapeMarkdown(address)})`
        return redirect?.proposal
          ? `${name}, see [${escapeMarkdown(redirect.proposal)}](${encodeAddress(redirect.proposal)})`
          : name
      }),
    ),
    writeSection(
      'On every page',
      shared.map(({ sentence }) => escapeMarkdown(sentence)),
    ),
  ].filter((section) => section !== '')
  if (sections.length === 0) sections.push(`${hasChanges(counts) ? 'Only links changed.' : 'No page changed.'}\n`)
  return [`# What changed\n`, `${writeSite(earlier)} → ${writeSite(later)}\n`, ...sections].join('\n')
}

const hasChanges = (counts: SiteComparison['counts']) => Object.values(counts).some((count) => count > 0)

const writeSite = ({ version, date }: NotedSite) => (version === null ? date : `${escapeMarkdown(version)} (${date})`)

const writeSection = (title: string, lines: readonly string[]) => {
  if (lines.length === 0) return ''
  const shown = lines.slice(0, maxPages).map((line) => `- ${line}`)
  if (lines.length > maxPages) shown.push(`- and ${lines.length - maxPages} more`)
  return `## ${title}\n\n${shown.join('\n')}\n`
}

const writeLink = ({ title, address }: PageChange) =>
  `[${escapeMarkdown(title === '' ? address : title)}](${encodeAddress(address)})`

/** Text as Markdown that shows it and does nothing else: no markup, no HTML, no link, no other direction of writing. */
const escapeMarkdown = (text: string): string =>
  text
    .replace(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>#|~&!@$]/g, String.raw`\$&`)
    .replace(/^([-+=]|\d+[.)])/, (mark) => `${mark.slice(0, -1)}\\${mark.slice(-1)}`)
    .replace(/:(?=\/\/)|(?<=\bwww)\./gi, String.raw`\$&`)

const encodeAddress = (address: string): string =>
  encodeURI(address.replace(/^[/\\]+/, '/').toWellFormed())
    .replace(/%25([0-9a-f]{2})/gi, '%$1')
    .replace(/[()'*!]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
