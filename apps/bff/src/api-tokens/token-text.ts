import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const prefix = 'docket_'
const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// 62 ** 43 is more than 2 ** 256, and 62 ** 6 more than 2 ** 32.
const randomLetters = 43
const sumLetters = 6

const inLetters = (number: bigint, length: number): string => {
  let text = ''
  for (let rest = number; text.length < length; rest /= 62n) text = letters[Number(rest % 62n)]! + text
  return text
}

const sumOf = (text: string) => inLetters(BigInt(crc32(text)), sumLetters)

/** A new token: `docket_`, 256 random bits in 43 letters and digits, and a sum of them in six, by which scanners and typing errors are told. */
export const newToken = (): string => {
  const text = inLetters(BigInt(`0x${randomBytes(32).toString('hex')}`), randomLetters)
  return `${prefix}${text}${sumOf(text)}`
}

/** Whether a text can be a token of any Docket. */
export const isTokenText = (text: string): boolean => {
  const [, random, sum] = /^docket_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/.exec(text) ?? []
  return random !== undefined && sum === sumOf(random)
}

/** What is kept of a token: hex SHA-256. Of so many random bits a slow hash would protect nothing more. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** The last characters of a token, for people to tell tokens apart. */
export const hintOf = (token: string): string => token.slice(-4)
