import { schemas } from '@docket/local-admin-api/schemas'

export { schemas }

/** Name of a connection or a lock, which is another one for each Docket in the database. */
export const nameHere = (name: string): string => (schemas.own === 'public' ? name : `${name} in ${schemas.own}`)
