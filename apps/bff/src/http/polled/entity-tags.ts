import { createHash } from 'node:crypto'
import type { Coding } from '#http/polled/coded-json.ts'

/**
 * What an entity tag says: `tag` names the content of the list that the answer was made from (up to 200 letters, digits, `-` and `_`), `print` the answer itself, and `until`
 * is the moment at which it changes although the list does not (milliseconds since the epoch), or null.
 */
export type Named = { tag: string; print: string; until: number | null }

/** An entity tag as a reader sent it back; `text` is what stood between its quotes. */
export type Held = Named & { text: string }

/** A name of a text: equal texts have equal ones, different texts do not. 66 bits, letters, digits, `-` and `_`. */
export const printOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 11)

/** The header `ETag`. Codings of one answer are different representations, so a strong tag must tell them apart. */
export const entityTag = ({ tag, print, until }: Named, coding: Coding): string =>
  `"${tag}.${print}${until === null ? '' : `.${until}`}${coding === 'identity' ? '' : `+${coding}`}"`

const named = /"(([\w-]{1,200})\.([\w-]{11})(?:\.(\d{1,15}))?(?:\+(?:br|gzip))?)"/g

/** The tags in `If-None-Match` that Docket could have given. A proxy that compresses makes them weak; they name the same content. */
export const heldTags = (header: string | undefined): Held[] =>
  Array.from(header?.matchAll(named) ?? [], ([, text = '', tag = '', print = '', until]) => ({
    text,
    tag,
    print,
    until: until === undefined ? null : Number(until),
  }))

/** The held tag that is still right when the list's content is `tag`, at `now` (milliseconds since the epoch). */
export const stillRight = (held: readonly Held[], { tag, now }: { tag: string; now: number }): Held | undefined =>
  held.find((one) => one.tag === tag && (one.until === null || now < one.until))
