import { sql } from 'drizzle-orm'
import { boolean, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { connections } from '#ground/db/connections.table.ts'

export const projects = pgTable(
  'projects',
  {
    connectionId: uuid('connection_id')
      .notNull()
      .references(() => connections.connectionId, { onDelete: 'cascade' }),
    projectId: text('project_id').notNull(),
    name: text('name'),
    isDefault: boolean('is_default').notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.connectionId, t.projectId] }),
    uniqueIndex('projects_default')
      .on(t.connectionId)
      .where(sql`${t.isDefault}`),
  ],
)
