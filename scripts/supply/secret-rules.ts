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

/** Docket's own API tokens. */
const docketToken = /\bdocket_[0-9A-Za-z]{49}\b/g

/** Bits per character. Words stay below 3.5, random base64 and hexadecimal text of 32 characters above. */
const entropyOf = (text: string): number => {
  const counts = Map.groupBy(text, (character) => character)
  return [...counts.values()]
    .map((same) => same.length / text.length)
    .reduce((bits, share) => bits - share * Math.log2(share), 0)
}

const looksRandom = (text: string): boolean => /\d/.test(text) && /[a-z]/i.test(text) && entropyOf(text) > 3.5

/** What kind of secret a file of this name would be, or null. */
export const secretByName = (path: string): string | null =>
  secretNames.find(([, pattern]) => pattern.test(path))?.[0] ?? null

const all = (rule: string, matches: Iterable<RegExpExecArray>): Match[] =>
  [...matches].map((match) => ({ rule, from: match.index, to: match.index + match[0].length }))

/** Private keys, ids of AWS keys, random-looking text given to a name such as `apiKey`, and passwords inside of addresses. */
export const secretsByShape = (text: string): Match[] => [
  ...all('a private key', text.matchAll(privateKey)),
  ...all('the id of a key of AWS', text.matchAll(awsKeyId)),
  ...all('an API token of Docket', text.matchAll(docketToken)),
  ...all(
    'random text in a secret',
    [...text.matchAll(assigned)].filter(([, value = '']) => looksRandom(value)),
  ),
  ...all(
    'an address with a password',
    [...text.matchAll(addressWithPassword)].filter(([, host = '']) => !reservedHost.test(host)),
  ),
]
