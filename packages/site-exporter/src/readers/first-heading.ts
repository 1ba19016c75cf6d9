/** Longest heading that becomes a title. Characters. */
const maxHeading = 300

/** Text of the first `# heading` outside of code, empty when there is none. Takes time in proportion to the page, whatever is on it. */
export const firstHeading = (body: string): string => {
  let fence: string | null = null
  for (const line of body.split('\n')) {
    const mark = /^[ \t]*(```|~~~)/.exec(line)?.[1]
    if (mark !== undefined) {
      if (fence === null) fence = mark
      else if (fence === mark) fence = null
    } else if (fence === null && /^#[ \t]/.test(line)) {
      // What follows is quadratic in the length of the line.
      const text = plain(line.slice(1, maxHeading).toWellFormed())
      if (text !== '') return text
    }
  }
  return ''
}

/** Headings are Markdown too; a title is text. */
const plain = (markdown: string) =>
  markdown
    .trim()
    .replace(/[ \t]#+$/, '')
    .replace(/\{#[^}]*\}$/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]*>/g, '')
    .replace(/[`*\\]/g, '')
    .trim()
