/** Parses a query (`?q=…`) into texts; the first value of a name wins. */
export const parseQuery = (query: string): Record<string, string> => {
  const values = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(query)) if (!values.has(name)) values.set(name, value)
  return Object.fromEntries(values)
}

/** Prints values as the query of an address, `?name=value…`, without empty and false ones; `''` if none is left. */
export const printQuery = (values: object): string => {
  const query = new URLSearchParams(
    Object.entries(values).filter(([, value]) => value !== false && (value ?? '') !== ''),
  )
  return query.size === 0 ? '' : `?${query}`
}

/** Picks the texts called `names` from a parsed query; a missing one is `''`. */
export const pickTexts = <Name extends string>(
  values: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): Record<Name, string> => {
  const picked = names.map((name) => [name, typeof values[name] === 'string' ? values[name] : ''])
  return Object.fromEntries(picked) as Record<Name, string>
}
