/** Something that looks like a secret: where it begins and ends in its text. */
type Match = { rule: string; from: number; to: number }

/** Names of files that hold secrets by their nature, and of what Docket writes into `DATA_DIR`. */
const secretNames: readonly [rule: string, path: RegExp][] = [
  ['a file of environment variables', /(^|\/)\.env(\.(?!example$)[^/]+)?$/],
  ['a private key or key store', /\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc)$/i],
  ['a private key of SSH', /(^|\/)id_(rsa|dsa|ecdsa|ed25519)$/],
  ['credentials of a tool', /(^|\/)(\.npmrc|\.netrc|\.pgpass|\.git-credentials|\.dockercfg|\.htpasswd)$/],
  ['a key file of Docket', /(^|\/)[^/.]*(admin|read|api)[-_]key(\.txt)?$/i],
  ['data of Docket or of its database', /(^|\/)(PG_VERSION|postmaster\.(pid|opts)|pg_hba\.conf|pg_wal)(\/|$)/],
  ['data of Docket or of its database', /^data\/|(^|\/)local-admin-api(\.[a-z]+)*\.(json|sqlite|db|lock)$/],
]

const assigned =
  /\b[\w-]*(?:secret|token|passw(?:or)?d|api[_-]?key|private[_-]?key|credential)s?["']?\s*[:=]\s*["'`]?([\w+/=.~-]{20,})/gi
const addressWithPassword = /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@'"`<>{}$]+:[^\s/@'"`<>{}$…]+@([\w.[-]+)/gi
/** Names that belong to nobody (RFC 2606), so that no password is anybody's there. */
const reservedHost = /(^|\.)(example(\.(com|net|org))?|invalid|test)$/i

/** With the first line of the key, so that an exception is for one key and not for a whole file. */
const privateKey = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----[\s\\nr"'`+]*[\w+/=]{16,}/g

/** Looked for here, because the service's own rule leaves the public half of a pair alone. */
const awsKeyId = /\b(AKIA|ASIA)[A-Z2-7]{16}\b/g

/** A prefix, an underscore and a long text, as most services write their keys: `docket_…`, `sk_live_…`. */
const prefixed = /\b[A-Za-z0-9]+_([\w-]{24,})/g
const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi
/** Places where a digit meets a letter, or where a capital in the middle of a word follows a small letter. */
const turn = /\d(?=[a-zA-Z])|[a-zA-Z](?=\d)|[a-z](?=[A-Z](?![a-z]{2}))/g

/** Bits per character. Words stay below 3.5, random base64 and hexadecimal text of 32 characters above. */
const measureEntropy = (text: string): number => {
  const counts = Map.groupBy(text, (character) => character)
  return [...counts.values()]
    .map((same) => same.length / text.length)
    .reduce((bits, share) => bits - share * Math.log2(share), 0)
}

const looksRandom = (text: string): boolean => /\d/.test(text) && /[a-z]/i.test(text) && measureEntropy(text) > 3.5

/**
 * Random text turns at every second or third character, and an identifier hardly ever, even one with digits or in camel
 * case. One turn in eight finds all but 1 in 50 random texts of 24 characters in any alphabet with digits (base32: 1 in
 * 16).
 */
const looksLikeKey = (text: string): boolean => {
  const body = text.replaceAll(uuid, '')
  const turns = body.match(turn)?.length ?? 0
  return body.length >= 24 && /\d/.test(body) && turns >= body.length / 8 && measureEntropy(body) > 3
}

/** Kind of secret that a file of this name would be, or null. */
export const secretByName = (path: string): string | null =>
  secretNames.find(([, pattern]) => pattern.test(path))?.[0] ?? null

const all = (rule: string, matches: Iterable<RegExpExecArray>): Match[] =>
  [...matches].map((match) => ({ rule, from: match.index, to: match.index + match[0].length }))

/**
 * Private keys, ids of AWS keys, keys with a prefix, random text given to a name such as `apiKey`, and passwords in
 * addresses.
 */
export const secretsByShape = (text: string): Match[] => [
  ...all('a private key', text.matchAll(privateKey)),
  ...all('the id of a key of AWS', text.matchAll(awsKeyId)),
  ...all(
    'a key with a prefix',
    [...text.matchAll(prefixed)].filter(([, body = '']) => looksLikeKey(body)),
  ),
  ...all(
    'random text in a secret',
    [...text.matchAll(assigned)].filter(([, value = '']) => looksRandom(value)),
  ),
  ...all(
    'an address with a password',
    [...text.matchAll(addressWithPassword)].filter(([, host = '']) => !reservedHost.test(host)),
  ),
]
