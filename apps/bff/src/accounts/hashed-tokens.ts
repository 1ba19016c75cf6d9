import type { Where } from 'better-auth'
import { hashToken } from './token-hash.ts'

/** An operation of better-auth on a table: `where` selects rows, `data` is a new row. */
type Call = { model: string; where?: Where[]; data?: Record<string, unknown> }

const hashAll = (value: Where['value']): Where['value'] =>
  Array.isArray(value) ? value.map((one) => hashToken(String(one))) : hashToken(String(value))

const onSessions = async (ask: (call: Call) => unknown, call: Call): Promise<unknown> => {
  const condition = call.where?.find(({ field }) => field === 'token')
  const token = call.data?.['token'] ?? condition?.value
  if (token === undefined) return ask(call)
  const hash = hashAll(token as Where['value'])
  const answer = await ask({
    ...call,
    ...(call.data && { data: { ...call.data, token: hash } }),
    ...(call.where && { where: call.where.map((one) => (one === condition ? { ...one, value: hash } : one)) }),
  })
  const isRow = typeof answer === 'object' && answer !== null && 'token' in answer
  return isRow ? { ...answer, token } : answer
}

/**
 * Stores session tokens as hashes where better-auth reads and writes the table itself. better-auth finds and ends sessions by the
 * cookie's token, and writes a new session's token into the cookie, so each row it gets back carries the token it passed.
 */
export const hashedTokens = <A extends object>(adapter: A): A =>
  new Proxy(adapter, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      const ask = (call: unknown): unknown => Reflect.apply(method, target, [call])
      if (name === 'transaction') return (work: (inner: A) => unknown) => ask((inner: A) => work(hashedTokens(inner)))
      return (call: Call, ...more: unknown[]) =>
        call?.model === 'session' ? onSessions(ask, call) : (Reflect.apply(method, target, [call, ...more]) as unknown)
    },
  })
