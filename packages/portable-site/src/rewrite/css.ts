import { findCssReferences } from '@docket/site-bundle/check/css-references'
import type { Reference } from '@docket/site-bundle/check/reference'
import { applyEdits } from './edits.ts'

/** The new address of a reference; null to keep it. */
export type Replace = (reference: Reference) => string | null

/** Addresses in style sheets that are cut lead to nothing. */
export const nothing = 'data:,'

const quote = (address: string) =>
  `"${address.replaceAll(/["\\\n]/g, (character) => `\\${character === '\n' ? 'a ' : character}`)}"`

/** Replaces addresses of a style sheet, or of a `style` attribute. */
export const rewriteCss = (text: string, isAttribute: boolean, replace: Replace): string =>
  applyEdits(
    text,
    findCssReferences(text, isAttribute).flatMap((reference) => {
      const { offset = 0, end = 0 } = reference
      const address = replace(reference)
      if (address === null) return []
      const isText = /["']/.test(text[offset]!)
      return [{ offset, end, text: isText ? quote(address) : `url(${quote(address)})` }]
    }),
  )
