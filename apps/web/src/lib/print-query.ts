/** The query of an address: `?name=value…` without empty values, or `''`. */
export const printQuery = (values: object): string => {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => (value ?? '') !== ''))
  return query.size === 0 ? '' : `?${query}`
}
