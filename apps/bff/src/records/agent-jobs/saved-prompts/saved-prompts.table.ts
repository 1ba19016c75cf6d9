import { sql } from 'drizzle-orm'
import { integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '#ground/db/watch-columns.ts'

export const savedPrompts = pgTable(
  'saved_prompts',
  {
    promptId: uuid('prompt_id').primaryKey().defaultRandom(),
    title: text('title').notNull(),
    text: text('text').notNull(),
    version: integer('version').notNull().default(1),
    changedBy: text('changed_by').notNull(),
    changedAt: instant('changed_at').notNull(),
  },
  (t) => [uniqueIndex('saved_prompts_title').on(sql`lower(${t.title})`)],
)
