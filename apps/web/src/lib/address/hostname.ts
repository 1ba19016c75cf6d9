/** Hostname of a typed domain or address, in ASCII; null for other texts. */
export const readHostname = (text: string): string | null => {
  const url = /\s/u.test(text) ? null : URL.parse(/^https?:\/\//iu.test(text) ? text : `https://${text}`)
  return url !== null && /\.[a-z][a-z\d-]*\.?$/u.test(url.hostname) ? url.hostname : null
}
