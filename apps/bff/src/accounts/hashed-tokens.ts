import type { Where } from 'better-auth'
import { hashToken } from './token-hash.ts'

/** What better-auth asks of a table: `where` selects rows, `data` is a new one. */
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
 * Keeps session tokens as hashes where better-auth reads and writes the table itself. It looks sessions up and ends them by the token of
 * the cookie, and writes the token of a new one into the cookie, so it gets rows back with the token it asked with.
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
