import { z } from 'zod'

// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const controls = /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f]/

const readable = (text: string) => !controls.test(text)
const Path = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .refine((path) => readable(path) && !/[\r\n\t]/.test(path))
const Text = z.string().max(1_000).refine(readable)

const scope = {
  folder: Path.optional(),
  pages: z.array(Path).min(1).max(100).readonly().optional(),
  limit: z.int().min(1).max(10_000).optional(),
}

export const MaintenanceOrder = z.discriminatedUnion('action', [
  z.object({ action: z.enum(['fix_links', 'fix_typos']), ...scope }),
  z.object({
    action: z.literal('replace'),
    find: Text.min(1),
    replacement: Text.default(''),
    wholeWords: z.boolean().default(false),
    matchCase: z.boolean().default(false),
    includeCode: z.boolean().default(false),
    ...scope,
  }),
  z.object({ action: z.literal('move'), from: Path, to: Path }),
])

export const orderRule =
  'maintenance must be an action (fix_links, fix_typos, replace, move) with its fields: find, replacement, wholeWords, matchCase and includeCode for replace, from and to for move; folder, pages and limit for the others'
