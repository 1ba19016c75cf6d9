/** Minimum length of a piece of a key that is removed from prose; shorter pieces reveal nothing. */
const pieceLength = 12
/** Minimum length of a secret. Removing shorter text would garble ordinary words. */
const minSecretLength = 8

const listSpellings = (secret: string) =>
  new Set([
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
  ])

/** Replaces whole occurrences of the secrets: plain, percent-encoded or in base64. Leaves other text untouched. */
export const replaceSecrets = (text: string, secrets: Iterable<string>): string => {
  let clean = text
  for (const secret of secrets) {
    if (secret.length < minSecretLength) continue
    for (const spelling of listSpellings(secret)) clean = clean.replaceAll(spelling, '[removed]')
  }
  return clean
}

/** Removes bearer credentials, queries of links (presigned links carry their signature there) and passwords in URLs. */
export const redactLinks = (text: string): string =>
  text
    .replace(/\bBearer\s+[^\s"',;]+/gi, 'Bearer [redacted]')
    .replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/gi, '$1[redacted]@')
    .replace(/(\b(?:https?):\/\/[^\s?#"'<>]*)\?[^\s"'<>]*/gi, '$1?[redacted]')

const decodeOnce = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** For each alignment, the part of a secret's base64 that does not depend on the surrounding text. */
const listBase64Cores = (secret: string): string[] =>
  [0, 1, 2].map((shift) =>
    Buffer.from('\0'.repeat(shift) + secret)
      .toString('base64url')
      .slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + Buffer.byteLength(secret)) * 8) / 6)),
  )

/**
 * True when a link contains one of the secrets: in any case, in base64 or hexadecimal, inside other text, or
 * percent-encoded up to twice.
 */
export const holdsSecret = (link: string, secrets: Iterable<string>): boolean => {
  const once = decodeOnce(link)
  // Treats both base64 alphabets as one, in lower case.
  const texts = [link, once, decodeOnce(once)].map((text) =>
    text.toLowerCase().replaceAll('+', '-').replaceAll('/', '_'),
  )
  return [...secrets].some((secret) => {
    if (secret.length < minSecretLength) return false
    const spellings = [
      secret.replaceAll('+', '-').replaceAll('/', '_'),
      ...listBase64Cores(secret),
      Buffer.from(secret).toString('hex'),
    ]
    return spellings.some((spelling) => texts.some((text) => text.includes(spelling.toLowerCase())))
  })
}

const replacePieces = (text: string, secret: string): string => {
  const size = Math.min(pieceLength, secret.length)
  const lower = text.toLowerCase()
  const pieces = secret.toLowerCase()
  const hidden = new Uint8Array(text.length)
  for (let start = 0; start + size <= pieces.length; start += 1) {
    const piece = pieces.slice(start, start + size)
    for (let at = lower.indexOf(piece); at !== -1; at = lower.indexOf(piece, at + 1)) hidden.fill(1, at, at + size)
  }
  let clean = ''
  for (let at = 0; at < text.length; at += 1) {
    if (hidden[at] === 0) clean += text.charAt(at)
    else if (at === 0 || hidden[at - 1] === 0) clean += '[removed]'
  }
  return clean
}

/**
 * Redacts messages of the service. Also removes pieces of the secrets (a service may echo part of a key), bearer credentials, queries of
 * links, and parameters that sign a link, of any owner.
 */
export const redactProse = (text: string, secrets: Iterable<string>): string => {
  let clean = text
  for (const secret of secrets) {
    if (secret.length < minSecretLength) continue
    for (const spelling of listSpellings(secret)) clean = replacePieces(clean, spelling)
  }
  return clean
    .replace(/\b(bearer|basic)\s+(?!\[)[\w.~+/=-]{8,}/giu, '$1 [removed]')
    .replace(/(\b[a-z][a-z0-9+.-]*:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/giu, '$1?[removed]')
    .replace(
      /\b((?:x-(?:amz|goog)-[a-z-]+|sig|signature|token|access_token|awsaccesskeyid|key-pair-id|policy)(?:=|%3d))[^\s&"'<>]+/giu,
      '$1[removed]',
    )
}
