/** Quotes text for languages with the escapes of JSON: JavaScript, Python, Go and Java. */
export const quoted = (text: string): string =>
  JSON.stringify(text.toWellFormed())
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`)

/** Indents every line but the first. */
export const indented = (text: string, space: string): string => text.replaceAll('\n', `\n${space}`)

/** True when a text can stand in quotes that have no escapes. */
export const isRaw = (text: string, quote: string): boolean =>
  !text.includes(quote) && !text.includes('\\') && !text.includes('\r')
