import { pgSchema } from 'drizzle-orm/pg-core'

export const embedded = pgSchema('embedded_service')
