import { findScriptReferences } from '@docket/site-bundle/check/script-references'
import type { Remark } from '#report-lines.ts'
import { applyEdits } from './edits.ts'
import { nothing, type Replace } from './css.ts'

/** Says what a script starts that no policy of a page applies to. */
export const remarkUnbound = (script: string, { remark }: { remark: (remark: Remark) => void }): void => {
  if (/\bnew (?:Shared)?Worker\b|\bserviceWorker\b.{0,40}\.register\b/s.test(script))
    remark({ kind: 'setting', name: 'scripts that start workers, to which no policy of a page applies' })
  if (/\bspeculationrules\b/.test(script))
    remark({ kind: 'setting', name: 'scripts that load pages in advance, to which no policy of a page applies' })
}

/** Modules are imported by an address that begins with a dot, a slash or a scheme. */
const toSpecifier = (address: string) => (/^(?:\.{0,2}\/|[a-z][\w+.-]*:)/i.test(address) ? address : `./${address}`)

/** Replaces the addresses of an import map. Those that end with a slash are folders. Copies may differ from their digest. */
export const rewriteImportMap = (text: string, replace: Replace): string => {
  const write = (address: string) => {
    const found = replace({ address, use: 'script', excerpt: () => address })
    return found === null ? address : toSpecifier(found)
  }
  return rewriteJson(text, (name, value) => {
    if (typeof value === 'string') return write(value)
    if (name === 'integrity') return undefined
    if (name !== 'scopes' || typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([scope, imports]) => [write(scope), imports]))
  }).replaceAll('<', '\\u003c')
}

/** The text itself when it is no JSON. */
export const rewriteJson = (text: string, rewrite: (name: string, value: unknown) => unknown): string => {
  try {
    const made = JSON.stringify(JSON.parse(text, rewrite))
    return made === JSON.stringify(JSON.parse(text)) ? text : made
  } catch {
    return text
  }
}

/** Replaces addresses of a script, as far as they are literal. */
export const rewriteScript = (text: string, place: { inModule: boolean; inPage: boolean }, replace: Replace): string =>
  applyEdits(
    text,
    findScriptReferences(text, { ...place, isSuspicious: () => true }).flatMap((reference) => {
      const { offset = 0, end = 0 } = reference
      const found = replace(reference)
      if (found === null) return []
      // A module knows other names only from an import map. What a script adds to the address must not run as one.
      const written = reference.isImport === true ? toSpecifier(found) : found
      const address = found === nothing ? `${nothing}//` : written
      const mark = text[offset]!
      const isQuoted = mark === '"' || mark === "'"
      const escaped = address.replaceAll(
        /["'`\\$\n<]/g,
        (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
      )
      return [{ offset, end, text: isQuoted ? mark + escaped + mark : escaped }]
    }),
  )
