import { join } from 'node:path'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { LinkStorage, Misbehaviour } from '#object-storage.ts'
import { createDiskStorage } from './disk-storage.ts'

/** `breaksOff` stops the transfer halfway. */
export type StoredObject = { file: string; breaksOff: boolean }

export type LocalStorage = LinkStorage & {
  /** Null when the link is not valid. */
  open(path: string, query: URLSearchParams): StoredObject | null
}

export const linkPath = '/storage/bundles'

/** Objects as files under `folder`. Each link is valid for one object until it expires, even after a restart. */
export const createLocalStorage = (deps: {
  folder: string
  links: SignedLinks
  origin: () => string
  now: () => Date
}): LocalStorage => {
  const { folder, links, origin, now } = deps
  const condemned = new Map<string, Misbehaviour>()
  return {
    ...createDiskStorage(folder),
    link: (key, expiresAt, misbehaves) => {
      const link = links.sign(`${linkPath}/${key}`, Math.floor(expiresAt.getTime() / 1000))
      if (misbehaves) condemned.set(link, misbehaves)
      return Promise.resolve(origin() + link)
    },
    open: (path, query) => {
      if (!links.isGood(path, query, now())) return null
      const link = `${path}?${query.toString()}`
      const fate = condemned.get(link)
      if (fate === 'dead') return null
      if (fate === 'dies') condemned.set(link, 'dead')
      // The signature covers the path, so a valid signature proves that the key is one of ours.
      return { file: join(folder, path.slice(linkPath.length + 1)), breaksOff: fate === 'dies' }
    },
  }
}

/** Links signed with HMAC-SHA-256 over the object, the expiry and a nonce. */
export const createSignedLinks = (secret: Uint8Array) => {
  const computeSignature = (path: string, expires: string, nonce: string) =>
    createHmac('sha256', secret).update(`GET\n${path}\n${expires}\n${nonce}`).digest()
  return {
    /** `expires` is in seconds since 1970. */
    sign: (path: string, expires: number) => {
      // Two links made in the same second are still two links.
      const nonce = randomBytes(8).toString('hex')
      const signature = computeSignature(path, String(expires), nonce).toString('hex')
      return `${path}?${new URLSearchParams({ expires: String(expires), nonce, signature }).toString()}`
    },
    /** False when the link was tampered with, belongs to another object, or expired at `now`. */
    isGood: (path: string, query: URLSearchParams, now: Date) => {
      const [expires = '', nonce = '', signatureHex = ''] = ['expires', 'nonce', 'signature'].map(
        (name) => query.get(name) ?? '',
      )
      const expected = computeSignature(path, expires, nonce)
      const signature = Buffer.from(signatureHex.padEnd(64).slice(0, 64).replaceAll(' ', '0'), 'hex')
      const matches = signature.length === expected.length && timingSafeEqual(signature, expected)
      return matches && signatureHex.length === 64 && Number(expires) * 1000 > now.getTime()
    },
  }
}

type SignedLinks = ReturnType<typeof createSignedLinks>
