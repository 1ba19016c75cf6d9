/** The lines of a text without outer blanks and empty lines. */
export const splitLines = (text: string, separator: string | RegExp = '\n'): string[] =>
  text
    .split(separator)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Indents every line that is not empty. */
export const indentText = (text: string, by: number): string => text.replaceAll(/^(?=.)/gm, ' '.repeat(by))
