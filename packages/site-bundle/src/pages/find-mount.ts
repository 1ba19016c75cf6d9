/** Folders that an address could be mounted at: those of its path, from the root on. */
const mountsAbove = (path: string) => {
  const parts = path.split('/').slice(1, -1).slice(0, 4)
  return parts.map((_, place) => `/${parts.slice(0, place + 1).join('/')}/`)
}

/**
 * Path at which a site expects to be served, such as `/docs/`, judged by the root-absolute addresses on some of its pages: the one that
 * leads most of them to files. `/` unless another one is better.
 */
export const findMount = (addresses: readonly string[], exists: (path: string) => boolean): string => {
  const paths = addresses
    .filter((address) => /^\/(?!\/)/.test(address))
    .map((address) => address.split(/[?#]/, 1)[0]!)
    .slice(0, 2_000)
  const count = (mount: string) =>
    paths.filter((path) => path.startsWith(mount) && path !== mount && exists(path.slice(mount.length))).length
  let best = { mount: '/', hits: count('/') }
  for (const mount of new Set(paths.flatMap(mountsAbove))) {
    const hits = count(mount)
    if (hits > best.hits) best = { mount, hits }
  }
  return best.mount
}
