const maxLength = 2_000

/** Any origin that is not a real one: only whether the address stays on it matters. */
const own = 'https://docket.invalid'

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const unsafe = /[\u0000-\u0020\u007f-\u009f\\]/

/** Whether a path stays a page of this origin, even after intermediaries decode it. */
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
  // Nobody encodes an address four times without a purpose.
  return false
}

/**
 * Turns the requested page after a sign-in into a safe one: a normalised path of Docket, or `/` for anything malformed or that could
 * lead elsewhere.
 */
export const safeReturnTo = (text: string | null): string => {
  if (text === null || text.length > maxLength || unsafe.test(text) || !/^\/(?!\/)/.test(text)) return '/'
  if (!URL.canParse(text, own)) return '/'
  const { origin, pathname, search, hash } = new URL(text, own)
  // Dots are gone now: `/.//elsewhere.example` has become `//elsewhere.example`.
  return origin === own && staysHere(pathname) ? pathname + search + hash : '/'
}
