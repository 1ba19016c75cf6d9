import { createHash } from 'node:crypto'

/** Hex SHA-256. Tickets and keys have 192 random bits, so nobody can guess one from its hash. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex')
