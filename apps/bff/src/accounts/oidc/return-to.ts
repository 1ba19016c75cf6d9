const longest = 2_000

/** Any origin that is not a real one: only whether the address stays on it matters. */
const own = 'https://docket.invalid'

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const unsafe = /[\u0000-\u0020\u007f-\u009f\\]/

/** Whether a path means this origin also after somebody on the way has decoded it. */
const staysHere = (path: string): boolean => {
  let text = path
  for (let round = 0; round < 4; round += 1) {
    // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
    if (!/^\/(?![/\\])/.test(text) || /[\u0000-\u001f\u007f]/.test(text)) return false
    let decoded: string
    try {
      decoded = decodeURIComponent(text)
    } catch {
      return false
    }
    if (decoded === text) return !/^\/api(\/|$)/i.test(text)
    text = decoded
  }
  // Nobody encodes an address four times without a purpose.
  return false
}

/** The page of Docket that an address asks to come back to, in its normal form; `/` for anything that could lead elsewhere or is no page. */
export const safeReturnTo = (text: string): string => {
  if (text.length > longest || unsafe.test(text) || !/^\/(?!\/)/.test(text) || !URL.canParse(text, own)) return '/'
  const { origin, pathname, search, hash } = new URL(text, own)
  return origin === own && staysHere(pathname) ? pathname + search + hash : '/'
}
