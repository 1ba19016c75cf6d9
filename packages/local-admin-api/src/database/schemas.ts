const own = process.env['DATABASE_SCHEMA']?.trim() || 'public'

const nameBeside = (name: string): string => (own === 'public' ? name : `${own}_${name}`)

/**
 * The schemas of Docket in its database: `own` for its tables, and beside it those of the embedded service, of the queues, and of the
 * records of migrations. They come from the environment itself, because tables are defined with them when their modules load. No
 * connection is made with a name that `DATABASE_SCHEMA` does not allow; `own` may be a key word, and has to be quoted.
 */
export const schemas = {
  own,
  embedded: nameBeside('embedded_service'),
  queues: nameBeside('pgboss'),
  migrations: nameBeside('drizzle'),
} as const
