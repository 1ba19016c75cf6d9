/** `link` readers follow it · `form` sent to it · `name` a page's public address · `ping` tells of a click · else: a request */
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
  /** The page shows nothing before the answer. */
  blocks?: boolean
  /** Browsers work without it, so nobody notices when it is missing. */
  isOptional?: boolean
  /** Resolved against this instead of the file that has it. */
  base?: string
  offset?: number
  /** A script imports it, so it is relative to the script. */
  isImport?: boolean
  /** References of one group replace each other: a browser takes the first that works. */
  group?: number
}
