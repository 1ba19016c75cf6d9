import { decryptText, encryptText, type KeyRing } from '#ground/secret/encrypted-text.ts'

/** Encrypts the secrets of targets with the instance secret. `secrets`: those that the log hides. */
export const createTargetSecrets = (ring: KeyRing, secrets: Set<string>) => ({
  /** Keeps a secret out of the log. */
  hide: (secret: string) => void secrets.add(secret),
  seal: (secret: string | null): string | null => {
    if (secret === null) return null
    secrets.add(secret)
    return encryptText(ring, secret)
  },
  /** Null when there is no secret, or when the instance secret that encrypted it is lost. */
  open: (sealed: string | null): string | null => {
    if (sealed === null) return null
    try {
      const secret = decryptText(ring, sealed)
      secrets.add(secret)
      return secret
    } catch {
      return null
    }
  },
})

export type TargetSecrets = ReturnType<typeof createTargetSecrets>
