/** Pieces of a key from this length on are removed from prose; shorter ones say nothing about it. */
const pieceLength = 12
/** Shorter "keys" are words; removing them would only garble the text. */
const shortestSecret = 8

const spellings = (secret: string) =>
  new Set([
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
  ])

/** Replaces whole occurrences of the secrets, as they are, percent-encoded or in base64. Leaves everything else untouched. */
export const withoutSecrets = (text: string, secrets: Iterable<string>): string => {
  let clean = text
  for (const secret of secrets) {
    if (secret.length < shortestSecret) continue
    for (const spelling of spellings(secret)) clean = clean.replaceAll(spelling, '[removed]')
  }
  return clean
}

const withoutPieces = (text: string, secret: string): string => {
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
 * For prose of the service: also removes pieces of the secrets (a service that echoes a key may cut it), bearer credentials, queries of
 * links, and parameters that sign a link, whoever they belong to.
 */
export const redactProse = (text: string, secrets: Iterable<string>): string => {
  let clean = text
  for (const secret of secrets) {
    if (secret.length < shortestSecret) continue
    for (const spelling of spellings(secret)) clean = withoutPieces(clean, spelling)
  }
  return clean
    .replace(/\b(bearer|basic)\s+(?!\[)[\w.~+/=-]{8,}/giu, '$1 [removed]')
    .replace(/(\b[a-z][a-z0-9+.-]*:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/giu, '$1?[removed]')
    .replace(
      /\b((?:x-(?:amz|goog)-[a-z-]+|sig|signature|token|access_token|awsaccesskeyid|key-pair-id|policy)(?:=|%3d))[^\s&"'<>]+/giu,
      '$1[removed]',
    )
}
