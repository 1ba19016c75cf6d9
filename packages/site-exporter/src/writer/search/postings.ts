/** Digits of six bits that need no escape in scripts. */
export const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** Weight of a word on a page, in six bits. */
const maxImpact = 63
/** A word on more pages keeps those with the most weight. */
const maxPages = 2_000

/** A page and the weight of a word on it, in one number. */
export const toPosting = (page: number, weight: number): number =>
  page * (maxImpact + 1) + Math.max(1, Math.min(maxImpact, Math.round(weight)))

/** Postings as text: the number of pages when some are left out, then a digit for each impact and the step to its page. */
export const encodePostings = (postings: readonly number[]): string => {
  let text = ''
  let kept = postings
  if (postings.length > maxPages) {
    text = `${postings.length}.`
    kept = [...postings]
      .sort((a, b) => (b & maxImpact) - (a & maxImpact) || a - b)
      .slice(0, maxPages)
      .sort((a, b) => a - b)
  }
  let last = -1
  for (const posting of kept) {
    const page = posting >>> 6
    text += digits[posting & maxImpact]! + encodeNumber(page - last - 1)
    last = page
  }
  return text
}

/** Five bits a digit, the lowest first; the sixth says that more follow. */
const encodeNumber = (number: number): string =>
  number < 32 ? digits[number]! : digits[(number & 31) | 32]! + encodeNumber(number >>> 5)
