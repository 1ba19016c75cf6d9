import type { WrittenRule } from '#site-rules.ts'

const file = 'vercel.json'
const names = /^(?:\/(?:[^/:()[\]{}?+*\\|^$]*|:[a-z]\w*(?:\(\\d\+\))?))*$/i
const rest = /\/(?::([a-z]\w*)(?:([*+])|\(\.\*\))|\(\.\*\))$/i

/** In the syntax of `_redirects`: names, numbers, and a rest at the end. Any other pattern has a condition. */
const readRule = (rule: Record<string, unknown>, status: number, isForced: boolean): WrittenRule[] => {
  const { source, destination } = rule
  if (typeof source !== 'string' || typeof destination !== 'string') return []
  const written = { from: source, to: destination, status, isForced, file }
  const limit = ['has', 'missing'].find((name) => name in rule)
  if (limit !== undefined) return [{ ...written, condition: `it has the condition “${limit}”` }]
  const [all = '', name = '1', sign] = rest.exec(source) ?? []
  const bare = source.slice(0, source.length - all.length)
  const to = all === '' ? destination : destination.replaceAll(new RegExp(`[:$]${name}\\b[*+]?`, 'g'), ':splat')
  if (!names.test(bare) || /\$\d/.test(to))
    return [{ ...written, condition: 'its pattern has more than names, numbers and a rest at its end' }]
  const from = bare.replaceAll(String.raw`(\d+)`, '(number)')
  const whole = { ...written, from: all === '' ? from : `${from}/*`, to }
  return sign === '*' && from !== '' ? [{ ...whole, from, to: to.replace(/\/?:splat/, '') || '/' }, whole] : [whole]
}

/** Redirects count before files, and rewrites after them. Routes and headers are left out by name. */
export const readVercelRules = (text: string): WrittenRule[] => {
  let settings: Record<string, unknown> | null
  try {
    settings = JSON.parse(text) as Record<string, unknown> | null
  } catch {
    return []
  }
  const list = (name: string) => {
    const all = settings?.[name]
    return Array.isArray(all) ? all.map((one: unknown) => (one ?? {}) as Record<string, unknown>) : []
  }
  const leaveOut = (name: string, key: string, condition: string): WrittenRule[] =>
    list(name).flatMap(({ [key]: from }) =>
      typeof from === 'string' ? [{ from, to: null, status: 200, condition, file }] : [],
    )
  return [
    ...list('redirects').flatMap((one) => {
      const { statusCode, permanent } = one
      return readRule(one, typeof statusCode === 'number' ? statusCode : permanent === false ? 307 : 308, true)
    }),
    ...list('rewrites').flatMap((one) => readRule(one, 200, false)),
    ...leaveOut('routes', 'src', 'routes are regular expressions'),
    ...leaveOut('headers', 'source', 'Docket reads headers from _headers only'),
  ]
}
