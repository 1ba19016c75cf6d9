import { z } from 'zod'

// oxlint-disable-next-line no-control-regex -- control characters are exactly what is refused
const withoutControls = /^[^\u0000-\u001f\u007f-\u009f]*$/u

/** At most one typed line: well-formed Unicode without control characters, which databases and paths cannot store. */
export const optionalLine = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `At most ${max} characters.`)
    .regex(withoutControls, 'Control characters are not allowed.')
    .refine((text) => text.isWellFormed(), 'This is not proper text.')

/** Like `optionalLine`, with 1 to `max` characters. `empty` is the message for no text. */
export const typedLine = (max: number, empty = 'This must not be empty.') => optionalLine(max).min(1, empty)

// oxlint-disable-next-line no-control-regex -- control characters are exactly what is refused
const withLinesAndTabs = /^[^\u0000-\u0008\u000b-\u001f\u007f-\u009f]*$/u

/**
 * Typed text of several lines, at most `max` characters: well-formed Unicode without control characters except tabs and line ends
 * (`\r\n` becomes `\n`), trimmed.
 */
export const optionalText = (max: number) =>
  z
    .string()
    .overwrite((text) => text.replaceAll('\r\n', '\n').trim())
    .max(max, `At most ${max} characters.`)
    .regex(withLinesAndTabs, 'Control characters other than line ends and tabs are not allowed.')
    .refine((text) => text.isWellFormed(), 'This is not proper text.')

/** Like `optionalText`, with 1 to `max` characters. `empty` is the message for no text. */
export const typedText = (max: number, empty: string) => optionalText(max).min(1, empty)
