/** Redirects from the address of an untranslated page, and from its folder if it is an index. */
export const fallbackRedirects = (path: string, target: string): [string, string][] =>
  [path, path.replace(/\/index$/, '')]
    .filter((address, index, all) => all.indexOf(address) === index)
    .map((address) => [address, `/${target}`])
