import type { HostedSite } from './hosted-site.ts'
import { encodeAddress, toComment } from './text.ts'

export type RedirectLine = { from: string; text: string }

/**
 * Lines of `_redirects` as Netlify and Cloudflare Pages read them, and what they cannot say: there, `:name` and `*` in an address stand for
 * something else.
 */
export const writeRedirectLines = ({ exact, prefixes }: Pick<HostedSite, 'exact' | 'prefixes'>) => {
  const lines: { exact: RedirectLine[]; prefixes: RedirectLine[] } = { exact: [], prefixes: [] }
  const leftOut: string[] = []
  const add = (kind: keyof typeof lines, decoded: string, [from, to]: [from: string, to: string]) => {
    if (/[*:]/.test(decoded)) leftOut.push(`${toComment(decoded)}: “*” and “:” in an address mean something else here`)
    else lines[kind].push({ from: decoded, text: `${from} ${to} 302` })
  }
  for (const { from, to } of exact) add('exact', from, [encodeAddress(from), to])
  for (const { from, before, after } of prefixes)
    add('prefixes', from, [`${encodeAddress(from)}*`, after === null ? before : `${before}:splat${after}`])
  return { ...lines, leftOut }
}

const maxNotes = 20

/** Lines of a comment about redirects that the host does not take. */
export const noteLeftOut = (leftOut: readonly string[]): string[] =>
  leftOut.length === 0
    ? []
    : [
        `Redirects that this host cannot have: ${leftOut.length}`,
        ...leftOut.slice(0, maxNotes).map((line) => `  ${line}`),
        ...(leftOut.length > maxNotes ? [`  and ${leftOut.length - maxNotes} more`] : []),
      ]
