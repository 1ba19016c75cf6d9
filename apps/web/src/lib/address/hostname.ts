/** Hostname of a typed domain or address, in ASCII; null for other texts. */
export const readHostname = (text: string): string | null => {
  if (/\s/u.test(text)) return null
  try {
    const { hostname } = new URL(/^https?:\/\//iu.test(text) ? text : `https://${text}`)
    return /\.[a-z][a-z\d-]*\.?$/u.test(hostname) ? hostname : null
  } catch {
    return null
  }
}
