import { NotData, toDataText, toDigest } from './data-text.ts'

/** Call of a tool while a page was rendered. `result` is a digest; null for a call without a result, such as a remark. */
export type TracedCall = { tool: string; args: unknown[]; result: string | null }

type Tool = (...args: unknown[]) => unknown

const pageArgument = '\0page'

/** Functions of `tools` by name: `note`, or `media.copy` for those of an object. */
const listFunctions = (tools: object): Map<string, Tool> => {
  const found = new Map<string, Tool>()
  for (const [name, value] of Object.entries(tools)) {
    if (typeof value === 'function') found.set(name, value as Tool)
    if (!isToolbox(value)) continue
    for (const [inner, one] of Object.entries(value))
      if (typeof one === 'function') found.set(`${name}.${inner}`, (one as Tool).bind(value))
  }
  return found
}

const isToolbox = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.values(value).some((one) => typeof one === 'function')

/** Data among the tools, which must be part of the cache key. */
export const listData = (tools: object): [string, unknown][] =>
  Object.entries(tools).flatMap(([name, value]): [string, unknown][] => {
    if (typeof value === 'function') return []
    if (!isToolbox(value)) return [[name, value]]
    return Object.entries(value).flatMap(([inner, one]): [string, unknown][] =>
      typeof one === 'function' ? [] : [[`${name}.${inner}`, one]],
    )
  })

/** Wraps `tools`. `calls` then returns the calls so far, or null when one of them cannot be repeated. */
export const traceCalls = <T extends object>(tools: T, page: unknown) => {
  const calls = new Map<string, TracedCall>()
  let isRepeatable = true
  const keep = (tool: string, args: readonly unknown[], result: unknown) => {
    try {
      const stored = args.map((arg) => (arg === page ? pageArgument : arg))
      const text = toDataText([tool, stored])
      // Calls with equal arguments have equal results, so one is kept; calls without a result are all kept.
      const name = result === undefined ? `${calls.size} ${text}` : text
      calls.set(name, { tool, args: stored, result: result === undefined ? null : toDigest(toDataText(result)) })
    } catch (error) {
      if (!(error instanceof NotData)) throw error
      isRepeatable = false
    }
  }
  const traced =
    (tool: string, call: Tool) =>
    (...args: unknown[]) => {
      const result = call(...args)
      if (!(result instanceof Promise)) {
        keep(tool, args, result)
        return result
      }
      return result.then((value: unknown) => {
        keep(tool, args, value)
        return value
      })
    }
  const wrapped: Record<string, unknown> = {}
  const functions = listFunctions(tools)
  for (const [name, value] of Object.entries(tools)) {
    const call = functions.get(name)
    if (call !== undefined) wrapped[name] = traced(name, call)
    else if (isToolbox(value))
      wrapped[name] = {
        ...value,
        ...Object.fromEntries(
          Object.keys(value).flatMap((inner) => {
            const one = functions.get(`${name}.${inner}`)
            return one === undefined ? [] : [[inner, traced(`${name}.${inner}`, one)]]
          }),
        ),
      }
    else wrapped[name] = value
  }
  return { tools: wrapped as T, calls: () => (isRepeatable ? [...calls.values()] : null) }
}

/** Repeats the calls of a trace. True when every result is the same; only then are the calls without a result repeated, in order. */
export const repeatCalls = async (calls: readonly TracedCall[], tools: object, page: unknown): Promise<boolean> => {
  const functions = listFunctions(tools)
  const call = ({ tool, args }: TracedCall) =>
    functions.get(tool)!(...args.map((arg) => (arg === pageArgument ? page : arg)))
  if (!calls.every(({ tool }) => functions.has(tool))) return false
  for (const one of calls) {
    if (one.result === null) continue
    const answer = await call(one)
    if (answer === undefined || toDigest(toDataText(answer)) !== one.result) return false
  }
  for (const one of calls) if (one.result === null) await call(one)
  return true
}
