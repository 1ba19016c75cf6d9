import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Passes let the pages of the embedded code host act for a session. */
export type Passes = {
  make: (sessionId: string) => string
  /** Id of the session that a pass is for. Null when it has expired, was changed, or is from another start. */
  read: (pass: string) => string | null
}

/** A working day. Milliseconds. */
export const passMs = 8 * 3_600_000

const pattern = /^((\d{1,15})\.([\da-f-]{36}))\.([\w-]{43})$/

/** A pass is `expiry.sessionId.signature`. The secret never leaves this closure, so only this process can make one. */
export const openPasses = (now: () => number): Passes => {
  const secret = randomBytes(32)
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest('base64url')
  return {
    make: (sessionId) => {
      const text = `${now() + passMs}.${sessionId}`
      return `${text}.${sign(text)}`
    },
    read: (pass) => {
      const [, text, expiresAt, sessionId, signature] = pattern.exec(pass) ?? []
      if (text === undefined || sessionId === undefined || signature === undefined) return null
      const isSigned = timingSafeEqual(Buffer.from(signature), Buffer.from(sign(text)))
      return isSigned && Number(expiresAt) > now() ? sessionId : null
    },
  }
}
