import { z } from 'zod'

// oxlint-disable-next-line no-control-regex -- control characters are exactly what is refused
const withoutControls = /^[^\u0000-\u001f\u007f-\u009f]*$/u

/** One line that somebody typed, 1 to `max` characters: well-formed Unicode without control characters, which no database or path can hold. */
export const typedLine = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(withoutControls, 'Control characters are not allowed.')
    .refine((text) => text.isWellFormed(), 'This is not proper text.')
