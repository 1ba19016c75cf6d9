import { z } from 'zod'
import { typedLine } from '#ground/text.ts'

const pathText = (empty: string) => typedLine(500, empty)

// Whitespace is significant, so nothing is trimmed.
// oxlint-disable-next-line no-control-regex -- control characters are exactly what is refused
const plainText = /^[^\u0000-\u0008\u000b-\u001f\u007f-\u009f]*$/u
const text = z
  .string()
  .overwrite((value) => value.replaceAll('\r\n', '\n'))
  .max(1_000, 'At most 1,000 characters.')
  .regex(plainText, 'Control characters other than line ends and tabs are not allowed.')
  .refine((value) => value.isWellFormed(), 'This is not proper text.')

const scope = {
  /** Only pages of this folder, relative to the project's folder. */
  folder: pathText('Enter a folder.').optional(),
  /** Only these pages, relative to the project's folder. */
  pages: z.array(pathText('Enter a page.')).min(1, 'Enter a page.').max(100, 'At most 100 pages.').optional(),
  /** Changes at most this many pages. */
  limit: z.int('Enter a whole number.').min(1, 'Enter 1 or more.').max(10_000, 'At most 10,000 pages.').optional(),
}

/** A named maintenance action with its fields. Needs no agent. */
export const MaintenanceOrder = z.discriminatedUnion('action', [
  z.object({ action: z.enum(['fix_links', 'fix_typos']), ...scope }),
  z.object({
    action: z.literal('replace'),
    find: text.min(1, 'Enter the text to replace.'),
    /** Empty to remove the text. */
    replacement: text,
    wholeWords: z.boolean().default(false),
    matchCase: z.boolean().default(false),
    /** Also replaces in code, addresses, tags and front matter. */
    includeCode: z.boolean().default(false),
    ...scope,
  }),
  z.object({
    action: z.literal('move'),
    from: pathText('Enter the page to move.'),
    to: pathText('Enter its new place.'),
  }),
])
export type MaintenanceOrder = z.infer<typeof MaintenanceOrder>
export type MaintenanceOrderInput = z.input<typeof MaintenanceOrder>
