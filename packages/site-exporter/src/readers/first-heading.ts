/** Longest title. Characters. */
const maxHeading = 300

/** Text of the first `# heading` outside code, or `''`. Takes linear time on any input. */
export const firstHeading = (body: string): string => {
  let fence: string | null = null
  for (const line of body.split('\n')) {
    const mark = /^[ \t]*(```|~~~)/.exec(line)?.[1]
    if (mark !== undefined) {
      if (fence === null) fence = mark
      else if (fence === mark) fence = null
    } else if (fence === null && /^#[ \t]/.test(line)) {
      // The expressions take quadratic time.
      const text = plain(line.slice(1, maxHeading).toWellFormed())
      if (text !== '') return text
    }
  }
  return ''
}

/** Strips Markdown from a heading. */
const plain = (markdown: string) =>
  markdown
    .trim()
    .replace(/[ \t]#+$/, '')
    .replace(/\{#[^}]*\}$/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]*>/g, '')
    .replace(/[`*\\]/g, '')
    .trim()
