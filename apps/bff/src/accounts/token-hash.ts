import { createHash } from 'node:crypto'

/** Hex SHA-256 of a token. Tokens have 192 random bits or more, so nobody finds one by its hash. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')
