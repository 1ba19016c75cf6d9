import { createHash } from 'node:crypto'

/** Hex SHA-256 of a token. Tokens have at least 192 random bits, so nobody can guess one from its hash. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')
