/** Endings of what builds name by content. Pages and downloads may change under any name. */
const built =
  /([^/]*?)(?:\.(?:min|module|lean|legacy|bundle|chunk|custom|m?js|css))*\.(m?js|css|map|json|wasm|woff2?|ttf|otf|eot|svg|png|jpe?g|gif|webp|avif)$/

/** Lengths of hexadecimal hashes in names; 24 is that of an id. */
const hashLengths: ReadonlySet<number> = new Set([8, 10, 12, 16, 20, 32, 40, 64, 96, 128])
const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$|(?<![\da-f])[\da-f]{12}[147][\da-f]{3}[89ab][\da-f]{15}$/

/** Words, abbreviations and numbers: the more of them in a few characters, the less it is a name. */
const splitRuns = (part: string): string[] => part.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|_/g) ?? []
const isWord = (run: string) =>
  /^(?:\d+|_|[A-Z]+|[A-Z]?[a-z]{3,})$/.test(run) || (run.length > 1 && /[aeiouy]/i.test(run))

/** Folders that only a build writes to. SvelteKit, Nuxt and Next have names there that are nothing but a hash. */
const buildFolder = /(?:^|\/)(?:_astro|_nuxt|_app\/immutable|_next\/static\/(?:chunks|css|media))\//

const isHexHash = (part: string) =>
  hashLengths.has(part.length) &&
  /^[\da-f]+$/.test(part) &&
  splitRuns(part).length > 2 &&
  !(part.length < 16 && /[a-f]{4}/.test(part))

/** Eight characters that are mixed as in no name. esbuild uses capitals only. */
const isMixed = (part: string, ending: string) => {
  const runs = splitRuns(part).length
  if (!/^[A-Za-z\d]{8}$/.test(part)) return false
  return /^[A-Z2-7]+$/.test(part) ? runs > 3 && /^(?:m?js|css|map)$/.test(ending) : /[A-Z]/.test(part) && runs > 5
}

/**
 * True for a file whose name has a hash of its content, so that it never changes. A wrong `true` leaves readers with an old file for a year,
 * and a wrong `false` costs them a question, so a hash that could be a word, a date, a version or an id is none.
 */
export const hasHash = (path: string): boolean => {
  const [, name = '', ending = ''] = built.exec(path) ?? []
  const isBuilt = buildFolder.test(path)
  const [, before = '', part = ''] =
    /^(.*?[.\-~])?([A-Za-z\d_]+)$/.exec(name.replace(/(?<=[.]\w{8})_\w{5,6}$/, '')) ?? []
  if ((before === '' && !isBuilt) || /^(?:(?:19|20)\d\d|v?\d+_\d)/.test(part) || uuid.test(name)) return false
  if (isHexHash(part) || isMixed(part, ending)) return true
  const isVite = /(?:^|\/)assets\//.test(path) && /^(?:m?js|css|map|woff2?)$/.test(ending) && /\d/.test(part)
  return (isBuilt || isVite) && part.length === 8 && !splitRuns(part).every(isWord)
}

/**
 * Regular expression, without lookaround, for servers: ends of hashed names in folders that have no other. A digit before a letter is in
 * most hashes, and in few words.
 */
export const hashedEnding = String.raw`[.~-](?:${Array.from({ length: 6 }, (_, at) => `[A-Za-z0-9]{${at}}[0-9][A-Za-z][A-Za-z0-9]{${6 - at}}`).join('|')}|[0-9a-f]+[0-9][a-f]+[0-9][0-9a-f]{6,})(?:\.[a-z]+){0,2}\.[a-z0-9]+`
