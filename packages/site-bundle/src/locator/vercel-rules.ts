import type { WrittenHeaders, WrittenRule } from '#site-rules.ts'

const file = 'vercel.json'

/** The syntax of `_redirects` for a source that has only names, numbers and a rest at its end. Null for any other. */
const readSource = (source: string): { from: string; groups: string[]; takesNone: boolean } | null => {
  const groups: string[] = []
  let takesNone = false
  const parts = source.split('/')
  const read = (part: string, place: number): string | null => {
    if (!/[()[\]{}?+*\\|^$]|^:/.test(part)) return part
    const number = `group${groups.length + 1}`
    const rest = /^(?::([a-z]\w*)(?:([*+])|\(\.\*\))|\(\.\*\))$/i.exec(part)
    if (rest !== null && place === parts.length - 1) {
      groups.push(rest[1] ?? number)
      takesNone = rest[2] === '*'
      return '*'
    }
    const [, name = number, digits = ''] = /^(?!$)(?::([a-z]\w*))?(\(\\d\+\))?$/i.exec(part) ?? [null, '']
    if (name === '') return null
    groups.push(name)
    return `:${name}${digits && '(number)'}`
  }
  const from = parts.map(read)
  return from.includes(null) ? null : { from: from.join('/'), groups, takesNone }
}

const readTarget = (destination: string, groups: readonly string[], hasRest: boolean) => {
  const name = (group: string) => (hasRest && group === groups.at(-1) ? ':splat' : `:${group}`)
  return destination
    .replaceAll(/\$(\d)/g, (all, number) =>
      groups[Number(number) - 1] === undefined ? all : name(groups[Number(number) - 1]!),
    )
    .replaceAll(/:([a-z]\w*)[*+]?/gi, (all, group: string) => (groups.includes(group) ? name(group) : all))
}

const readRule = (
  one: unknown,
  readStatus: (rule: Record<string, unknown>) => number,
  isForced: boolean,
): WrittenRule[] => {
  const rule = (one ?? {}) as Record<string, unknown>
  const { source, destination: to } = rule
  if (typeof source !== 'string' || typeof to !== 'string') return []
  const written = { from: source, to, status: readStatus(rule), isForced, file }
  const condition = ['has', 'missing'].find((name) => name in rule)
  if (condition !== undefined) return [{ ...written, condition: `it has the condition “${condition}”` }]
  const read = readSource(source)
  if (read === null)
    return [{ ...written, condition: 'its pattern has more than names, numbers and a rest at its end' }]
  const { from, groups, takesNone } = read
  const target = readTarget(to, groups, from.endsWith('*'))
  const bare = from.slice(0, -2)
  return [
    ...(takesNone && bare !== '' ? [{ ...written, from: bare, to: target.replace(/\/?:splat/, '') || '/' }] : []),
    { ...written, from, to: target },
  ]
}

const readRedirectStatus = ({ statusCode, permanent }: Record<string, unknown>) =>
  typeof statusCode === 'number' ? statusCode : permanent === false ? 307 : 308

const readHeaders = (one: unknown): WrittenHeaders[] => {
  const { source, headers, ...rest } = (one ?? {}) as Record<string, unknown>
  if (typeof source !== 'string' || !Array.isArray(headers)) return []
  const from = source.replace(/\(\.\*\)|:[a-z]\w*\*/i, '*')
  const pairs = (headers as unknown[]).flatMap((header): [string, string][] => {
    const { key, value } = (header ?? {}) as Record<string, unknown>
    return typeof key === 'string' && typeof value === 'string' ? [[key, value]] : []
  })
  const condition =
    Object.keys(rest).length > 0
      ? `it has the condition “${Object.keys(rest)[0]}”`
      : /[()[\]{}?+\\|^$]/.test(from)
        ? 'its pattern has more than one rest'
        : null
  return [{ from, headers: pairs, file, ...(condition !== null && { condition }) }]
}

/** Redirects, rewrites and headers of `vercel.json`. Its redirects count before files, and its rewrites after them. */
export const readVercel = (text: string): { rules: WrittenRule[]; headers: WrittenHeaders[] } => {
  let settings: Record<string, unknown> = {}
  try {
    settings = (JSON.parse(text) ?? {}) as Record<string, unknown>
  } catch {
    return { rules: [], headers: [] }
  }
  const list = (name: string) => (Array.isArray(settings[name]) ? (settings[name] as unknown[]) : [])
  const routes = list('routes').flatMap((one): WrittenRule[] => {
    const { src, dest } = (one ?? {}) as Record<string, unknown>
    const condition = 'routes are regular expressions'
    return typeof src === 'string'
      ? [{ from: src, to: typeof dest === 'string' ? dest : null, status: 200, condition, file }]
      : []
  })
  return {
    rules: [
      ...list('redirects').flatMap((one) => readRule(one, readRedirectStatus, true)),
      ...list('rewrites').flatMap((one) => readRule(one, () => 200, false)),
      ...routes,
    ],
    headers: list('headers').flatMap(readHeaders),
  }
}
