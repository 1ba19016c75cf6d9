import { z } from 'zod'
import { typedLine } from '#ground/text.ts'

/** Lists that have saved views, by the path of their page. */
export const SavedViewList = z.enum(['exports', 'agent-jobs'])
export type SavedViewList = z.infer<typeof SavedViewList>

const name = typedLine(80, 'Enter a name.')
/** Filters and order of the list as in its address, such as `group=failed&sort=oldest`. Not empty. */
const query = z
  .string()
  .min(1, 'Filter or sort the list first.')
  .max(1000, 'This has more filters than a view can hold.')

/** A person's own name for filters and order of a list. */
export const SavedView = z.object({ viewId: z.uuid(), list: SavedViewList, name: z.string(), query: z.string() })
export type SavedView = z.infer<typeof SavedView>

/** The reader's own views of all lists, by name. */
export const SavedViews = z.object({ items: z.array(SavedView) })
export type SavedViews = z.infer<typeof SavedViews>

/** Save a view; at most 50 for each list. A name is unique for each list, ignoring case (`conflict`). */
export const SaveView = z.object({ list: SavedViewList, name, query })
export type SaveView = z.infer<typeof SaveView>

export const ChangeView = z.object({ name: name.optional(), query: query.optional() })
export type ChangeView = z.infer<typeof ChangeView>
