import type { Context } from 'hono'
import { deleteCookie, setSignedCookie } from 'hono/cookie'
import { parseSigned } from 'hono/utils/cookie'
import type { AppEnv } from '#http/app-env.ts'
import type { Instance } from './instance.ts'

/** The cookie that holds a session: signed, for this host only, never sent along from another site, out of reach of scripts. */
export type SessionCookie = {
  /** `__Host-…` wherever the browser comes over https. */
  name: string
  /** Of every cookie that has to do with signing in. */
  attributes: { path: '/'; httpOnly: true; secure: boolean; sameSite: 'strict' }
  /** What the cookie of a request holds, when the signature is Docket's own. `header`: the `Cookie` header. */
  read: (header: string | undefined) => Promise<string | null>
  write: (c: Context<AppEnv>, token: string, expiresAt: Date) => Promise<void>
  clear: (c: Context<AppEnv>) => void
}

/** `publicUrl` decides whether it is `Secure`: only a Docket on the loopback address of one machine may do without https. */
export const sessionCookie = ({ name: own, secret }: Instance, publicUrl: URL | null): SessionCookie => {
  const secure = publicUrl?.protocol === 'https:'
  const name = secure ? '__Host-docket' : `docket_${own}`
  const attributes = { path: '/', httpOnly: true, secure, sameSite: 'strict' } as const
  return {
    name,
    attributes,
    read: async (header) => {
      // Most requests without a session have no cookie at all.
      if (header === undefined || !header.includes(`${name}=`)) return null
      const value = (await parseSigned(header, secret, name))[name]
      return typeof value === 'string' ? value : null
    },
    write: (c, token, expires) => setSignedCookie(c, name, token, secret, { ...attributes, expires }),
    clear: (c) => void deleteCookie(c, name, attributes),
  }
}
