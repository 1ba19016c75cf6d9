import { parse, parseSigned, serializeSigned } from 'hono/utils/cookie'
import type { Instance } from './instance.ts'

/** Reads a signed cookie out of a `Cookie` header. Null without a valid signature by the current or the previous secret. */
export const readSigned = async (
  header: string,
  name: string,
  { secret, previousSecret }: Instance,
): Promise<string | null> => {
  for (const key of [secret, previousSecret]) {
    const value = key === null ? null : (await parseSigned(header, key, name))[name]
    if (typeof value === 'string') return value
  }
  return null
}

/**
 * Rewrites a `Cookie` header as Docket reads it, with every cookie signed by the current secret. better-auth knows no other secret, and
 * of two cookies of one name, or one with half a pair of quotes, it could read another and act for somebody else than the person let in.
 */
export const rewriteCookies = async (header: string, { secret, previousSecret }: Instance): Promise<string> => {
  const old = previousSecret === null ? {} : await parseSigned(header, previousSecret)
  const written = Object.entries(parse(header)).map(async ([name, value]) => {
    const signed = old[name]
    return typeof signed === 'string' ? serializeSigned(name, signed, secret) : `${name}=${encodeURIComponent(value)}`
  })
  return (await Promise.all(written)).join('; ')
}
