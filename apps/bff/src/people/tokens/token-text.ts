import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const prefix = 'docket_'
const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
// 62 ** 43 is more than 2 ** 256, and 62 ** 6 more than 2 ** 32.
const randomLetters = 43
const sumLetters = 6

const toLetters = (number: bigint, length: number): string => {
  let text = ''
  for (let rest = number; text.length < length; rest /= 62n) text = letters[Number(rest % 62n)]! + text
  return text
}

const computeChecksum = (text: string) => toLetters(BigInt(crc32(text)), sumLetters)

/**
 * Makes a token: `docket_`, 256 random bits as 43 letters and digits, and a six-character checksum that lets scanners and Docket detect
 * typing errors.
 */
export const generateToken = (): string => {
  const text = toLetters(BigInt(`0x${randomBytes(32).toString('hex')}`), randomLetters)
  return `${prefix}${text}${computeChecksum(text)}`
}

/** True for text with the form and checksum of a token, whichever Docket made it. */
export const isTokenText = (text: string): boolean => {
  const [, random, sum] = /^docket_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/.exec(text) ?? []
  return random !== undefined && sum === computeChecksum(random)
}

export const toHint = (token: string): string => token.slice(-4)
