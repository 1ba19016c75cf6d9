import { posix } from 'node:path'
import type { NewPlace } from './collect-findings.ts'
import { findCssReferences } from './css-references.ts'
import { createLines } from './find-line.ts'
import type { judgeReferences } from './judge-reference.ts'
import type { Reference } from './reference.ts'
import { findScriptReferences } from './script-references.ts'
import type { OpenedContent } from './site-content.ts'
import type { Users } from './users.ts'

type Checking = { site: OpenedContent; users: Users; judge: ReturnType<typeof judgeReferences> }

/** Addresses of a script file are relative to unknown pages, except those it imports and those of the whole host. */
const isResolvable = ({ isImport, address }: Reference) => isImport === true || /^(?:[a-z]+:)?\/\//i.test(address)

/** Names of style sheets that a script has in its text, so that it could load them. */
const listSheetNames = (text: string): string[] =>
  [...text.matchAll(/\.css\b/gi)].map(
    ({ index }) => `${/[^\s"'`/\\]*$/.exec(text.slice(Math.max(0, index - 200), index))![0]}.css`,
  )

/** Checks style sheets and scripts. A defect in one counts for every page that loads it. */
export const checkFiles = async ({ site, users, judge }: Checking): Promise<void> => {
  const { locator } = site
  const check = (path: string, text: string, references: readonly Reference[], isUnloaded = false) => {
    const file = site.find(path)?.path ?? path
    const { toLine } = createLines(text)
    let pages: string[] | undefined
    const toPlace = ({ excerpt, offset }: Reference, page: string | null): NewPlace => ({
      page,
      path: file,
      excerpt,
      line: () => (offset === undefined ? null : toLine(offset)),
    })
    const base = locator.toBase(path)
    judge(references, {
      path,
      base,
      isUnloaded,
      toPlaces: (reference) => {
        const known = (pages ??= users.find(path, site.isPage))
        if (known.length === 0) return [toPlace(reference, null)]
        const iterate = function* () {
          for (const page of known) yield toPlace(reference, site.toAddress(page))
        }
        return { length: known.length, [Symbol.iterator]: iterate }
      },
    })
  }
  // A style sheet that others import is used where they are, so imports are known first.
  const sheets = site.sheetPaths
  for (const path of sheets) {
    const base = locator.toBase(path)
    for (const { use, address } of findCssReferences((await site.readText(path)) ?? '')) {
      const found = use === 'style' ? locator.locate(address, base) : null
      if (found?.kind === 'file') users.add(path, found.path)
    }
  }
  const named = new Set<string>()
  for (const path of site.scriptPaths) {
    const text = (await site.readText(path)) ?? ''
    const base = locator.toBase(path)
    const isSuspicious = (address: string) => locator.locate(address, base).kind !== 'file'
    const references = findScriptReferences(text, { inModule: true, inPage: false, isSuspicious })
    check(path, text, references.filter(isResolvable))
    for (const name of listSheetNames(text)) named.add(name)
  }
  const isLoading = (path: string) => site.isPage(path) || named.has(posix.basename(path))
  const reached = users.reach(isLoading)
  for (const path of sheets) {
    const text = (await site.readText(path)) ?? ''
    const isUnloaded = !isLoading(path) && !reached.has(path)
    check(path, text, findCssReferences(text), isUnloaded)
  }
}
