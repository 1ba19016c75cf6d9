/** Where the reader is: the decoded path, and the query as it is in the address. */
export type Place = { pathname: string; search: string }

let place: Place | null = null
const listeners = new Set<() => void>()

const moved = () => {
  place = null
  for (const listener of listeners) listener()
}

/** The address of the page. Shaped for `useSyncExternalStore`: the same object until something changes. */
export const currentPlace = {
  get: (): Place => (place ??= { pathname: location.pathname, search: location.search }),
  subscribe: (listener: () => void): (() => void) => {
    if (listeners.size === 0) addEventListener('popstate', moved)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) removeEventListener('popstate', moved)
    }
  },
}

/** Goes to an address of this app, as a new entry of the history unless `replace` is set. */
export const navigate = (to: string, { replace = false } = {}): void => {
  const from = location.pathname
  if (replace) history.replaceState(null, '', to)
  else history.pushState(null, '', to)
  moved()
  // Back and forward keep their own place; a new page starts at its top.
  if (location.pathname !== from) scrollTo(0, 0)
}

/** Names of the `:parameters` of a path pattern. */
export type ParamsOf<Pattern extends string> = Pattern extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & ParamsOf<Rest>
  : Pattern extends `${string}:${infer Name}`
    ? Record<Name, string>
    : unknown

const decoded = (segment: string): string | null => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '')

/** The decoded parameters when `pathname` fits `pattern` (`/exports/:exportId`), else null. A broken escape fits nothing. */
export const matchPath = (pattern: string, pathname: string): Record<string, string> | null => {
  const [expected, found] = [segmentsOf(pattern), segmentsOf(pathname)]
  if (expected.length !== found.length) return null
  const params: Record<string, string> = {}
  for (const [index, segment] of expected.entries()) {
    const value = decoded(found[index]!)
    if (value === null) return null
    if (segment.startsWith(':')) params[segment.slice(1)] = value
    else if (segment !== value) return null
  }
  return params
}
