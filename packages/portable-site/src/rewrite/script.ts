import { findScriptReferences } from '@docket/site-bundle/check/script-references'
import { applyEdits } from './edits.ts'
import { nothing, type Replace } from './css.ts'

/** Replaces addresses of a script, as far as they are literal. */
export const rewriteScript = (text: string, place: { inModule: boolean; inPage: boolean }, replace: Replace): string =>
  applyEdits(
    text,
    findScriptReferences(text, { ...place, isSuspicious: () => true }).flatMap((reference) => {
      const { offset = 0, end = 0 } = reference
      const found = replace(reference)
      if (found === null) return []
      // What a script adds to the address must not run as one.
      const address = found === nothing ? `${nothing}//` : found
      const mark = text[offset]!
      const isQuoted = mark === '"' || mark === "'"
      const escaped = address.replaceAll(
        /["'`\\$\n<]/g,
        (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
      )
      return [{ offset, end, text: isQuoted ? mark + escaped + mark : escaped }]
    }),
  )
