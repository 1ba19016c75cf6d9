/** Addresses of a `srcset`, as the HTML standard splits it: commas within an address belong to it. */
export const readSrcset = (text: string): string[] => {
  const addresses: string[] = []
  let rest = text
  for (;;) {
    rest = rest.replace(/^[\s,]+/, '')
    const [address = ''] = /^\S+/.exec(rest) ?? []
    if (address === '') return addresses
    rest = rest.slice(address.length)
    addresses.push(address.replace(/,+$/, ''))
    // An address that ends with a comma has no descriptors.
    if (!address.endsWith(',')) rest = rest.replace(/^(?:\([^)]*\)|[^,(])*/, '')
  }
}
