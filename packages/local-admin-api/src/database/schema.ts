import { pgSchema } from 'drizzle-orm/pg-core'

/** Schema of the embedded service, beside the tables of Docket. */
export const embedded = pgSchema('embedded_service')
