const maxLength = 2_000

/** An origin that does not exist; the check asks only whether the address stays on it. */
const own = 'https://docket.invalid'

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const unsafe = /[\u0000-\u0020\u007f-\u009f\\]/

/** True when a path stays on this origin, even after intermediaries decode it. */
const staysHere = (path: string): boolean => {
  let text = path
  for (let round = 0; round < 4; round += 1) {
    // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
    if (!/^\/(?![/\\])/.test(text) || /[\u0000-\u001f\u007f]/.test(text)) return false
    let next: string
    try {
      next = decodeURIComponent(text)
    } catch {
      return false
    }
    if (next === text) return !/^\/api(\/|$)/i.test(text)
    text = next
  }
  // Honest addresses are never encoded four times.
  return false
}

/** A normalised path of Docket, or `/` for anything malformed or that could lead elsewhere. */
export const safeReturnTo = (text: string | null): string => {
  if (text === null || text.length > maxLength || unsafe.test(text) || !/^\/(?!\/)/.test(text)) return '/'
  if (!URL.canParse(text, own)) return '/'
  const { origin, pathname, search, hash } = new URL(text, own)
  // With dots resolved, `/.//elsewhere.example` has become `//elsewhere.example`.
  return origin === own && staysHere(pathname) ? pathname + search + hash : '/'
}
