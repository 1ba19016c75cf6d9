/** A page or address in the configuration of a site: its place in the file, with quotes, and its value. */
export type SiteEntry = {
  start: number
  end: number
  value: string
  prefix: string
  /** False where the site may generate the page, so that a missing file proves nothing. */
  isCertain: boolean
  /** Source text of another value, in the same style. */
  write(value: string): string
}
