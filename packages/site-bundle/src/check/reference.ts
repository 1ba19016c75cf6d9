import type { Element } from '#pages/html.ts'

/** Readers follow a `link` and send a `form`. `name` is an address that a page announces: its public one, a feed, another language. `ping` reports a click. All others are requests. */
export type Use =
  | 'link'
  | 'name'
  | 'form'
  | 'ping'
  | 'redirect'
  | 'style'
  | 'script'
  | 'font'
  | 'image'
  | 'media'
  | 'frame'
  | 'object'
  | 'manifest'
  | 'icon'
  | 'hint'
  | 'call'

export type Reference = {
  use: Use
  address: string
  excerpt: () => string
  /** The page shows nothing before the file is loaded. */
  blocks?: boolean
  /** Browsers work without it, so nobody notices when it is missing. */
  isOptional?: boolean
  /** The address is resolved against this instead of the file that contains it. */
  base?: string
  /** Where the token with the address begins and ends, in the style sheet, the script or the attribute. */
  offset?: number
  end?: number
  /** In a page: the element, and the attribute unless the address is in its text. */
  element?: Element
  attribute?: string
  /** A script imports it, so it is relative to the script. */
  isImport?: boolean
  /** References of one group replace each other: a browser takes the first that works. */
  group?: number
}
