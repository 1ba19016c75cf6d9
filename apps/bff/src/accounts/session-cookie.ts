import type { Instance } from './instance.ts'
import { signedCookie, type CookieAttributes, type SignedCookie } from './signed-cookies.ts'

/** The cookie that holds the token of a session. Its name is `__Host-…` wherever the browser uses https. */
export type SessionCookie = SignedCookie & { attributes: CookieAttributes }

/** `publicUrl` decides whether it is `Secure`: only a Docket on the loopback address of one machine may do without https. */
export const sessionCookie = (instance: Instance, publicUrl: URL | null): SessionCookie => {
  const secure = publicUrl?.protocol === 'https:'
  const attributes = { path: '/', httpOnly: true, secure, sameSite: 'strict' } as const
  return { ...signedCookie(instance, secure ? '__Host-docket' : `docket_${instance.name}`, attributes), attributes }
}
