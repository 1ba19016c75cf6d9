import { createHash, createPublicKey, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { createKey, formatKeyId, formatPublicKey, formatSecretKey, readSecretKey } from './minisign-key.ts'
import { signContent } from './minisign.ts'

const publicKeyHeader = Buffer.from('302a300506032b6570032100', 'hex')

/** Verifies as minisign does, from the text of both files alone. */
const isSignedBy = (signed: Uint8Array, signatureFile: string, publicKeyFile: string): boolean => {
  const key = Buffer.from(publicKeyFile.split('\n')[1]!, 'base64')
  const [, first = '', trusted = '', second = ''] = signatureFile.split('\n')
  const bytes = Buffer.from(first, 'base64')
  const der = Buffer.concat([publicKeyHeader, key.subarray(10)])
  const publicKeyObject = createPublicKey({ key: der, format: 'der', type: 'spki' })
  const hash = createHash('blake2b512').update(signed).digest()
  const words = Buffer.concat([bytes.subarray(10), Buffer.from(trusted.slice('trusted comment: '.length))])
  return (
    bytes.toString('latin1', 0, 2) === 'ED' &&
    bytes.subarray(2, 10).equals(key.subarray(2, 10)) &&
    verify(null, hash, publicKeyObject, bytes.subarray(10)) &&
    verify(null, words, publicKeyObject, Buffer.from(second, 'base64'))
  )
}

// Made by minisign 0.11 of Debian.
const content = Buffer.from('checksums of a release\n')
const comment = 'docket 1.0.0'
const publicKey = [
  'untrusted comment: minisign public key 8D5818F34BD43C9E',
  'RWSePNRL8xhYjdMVlXPKaReKwcepFFj0059SagjFeIjZ+cowZ45ZO6oY',
  '',
].join('\n')
const secretKey = [
  'untrusted comment: minisign encrypted secret key',
  'RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAnjzUS/MYWI0W22SL2gr/b12zLjjB+Ubcycc5bnafhpWmG6I8+K70P9MVlXPKaReKwcepFFj0059SagjFeIjZ+cowZ45ZO6oYAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  '',
].join('\n')
const signature = [
  'untrusted comment: signature from minisign secret key',
  'RUSePNRL8xhYjW+MTzAVYB9l7s0pSkZXloTpE8GCriJucngMyG38d7dgb+4d/+XjfswO87j31v3a+6AU2Us7EV27haXVf5C7YQA=',
  'trusted comment: docket 1.0.0',
  'wmjZc0mRx8vt1NQDE4zaCXyS5zAjhLbaOTj2dTB5cyXvCRvBkKs47UO6DXnmKskUtfWTu97l0R+BXF4yxrO0Bg==',
  '',
].join('\n')
// Its password is `trellis onion`. Little memory was free, so it asks scrypt for little.
const lockedPublicKey = [
  'untrusted comment: minisign public key C757FC8A3958B32E',
  'RWQus1g5ivxXx3XtETlIQA0VD/H+B64c0mmUWlsLmEd2z9T3Nq4SDFGK',
  '',
].join('\n')
const lockedKey = [
  'untrusted comment: minisign encrypted secret key',
  'RWRTY0IygyhIE4JIqv8wN5ZB3qeGWBOVokA4TP37bAkSSUW9NLcAAAgAAAAAAAAAAAEAAAAAAn2YM4LWX8fXt0ZTs4xR/XUfDbYKFZOHuAQNXYGmDPmX5bf3VrJZjo/nYTnwqCTDcz30eczfTBfst1bFIfBkMi+93Tcba264oZJQHzPmwm3k5WIAMkFfbC92ILs+83os0Pg2itJcXFU=',
  '',
].join('\n')

test('Signatures, keys and checksums are those of minisign', () => {
  const key = readSecretKey(secretKey, null)
  expect(formatPublicKey(key)).toBe(publicKey)
  expect(formatKeyId(key)).toBe(/key (\w+)/.exec(publicKey)?.[1])
  expect(isSignedBy(content, signature, publicKey)).toBe(true)
  const [, line, , global] = signContent(content, key, comment).split('\n')
  expect([line, global]).toEqual([signature.split('\n')[1], signature.split('\n')[3]])
  expect(formatSecretKey(key).split('\n')[1]).toBe(secretKey.split('\n')[1])
})

test('A key with a password opens with that password only', () => {
  expect(() => readSecretKey(lockedKey, null)).toThrow('--passphrase-file')
  expect(() => readSecretKey(lockedKey, 'wrong')).toThrow('That is not the password')
  expect(formatPublicKey(readSecretKey(lockedKey, 'trellis onion'))).toBe(lockedPublicKey)
})

test('A changed byte of the content, the comment or the key is noticed', () => {
  const key = createKey()
  const signed = signContent(content, key, 'docket 1.0.0')
  const own = formatPublicKey(key)
  expect(isSignedBy(content, signed, own)).toBe(true)
  expect(isSignedBy(Buffer.from('other\n'), signed, own)).toBe(false)
  expect(isSignedBy(content, signed.replace('docket 1.0.0', 'docket 1.0.1'), own)).toBe(false)
  expect(isSignedBy(content, signed, formatPublicKey(createKey()))).toBe(false)
  const damaged = formatSecretKey(key).replace(
    /(.{90})(.)(.*\n)$/,
    (_, before: string, one: string, rest: string) => before + (one === 'A' ? 'B' : 'A') + rest,
  )
  expect(() => readSecretKey(damaged, null)).toThrow(/damaged|no secret key/)
})
