/** Right-to-left letters, and characters that reorder text. */
const reordering =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * Isolates a person's text within a plain string, such as a message or the title of a tab; markup uses `bdi` instead. Text that runs
 * from left to right stays as it is.
 */
export const isolateText = (text: string): string => (reordering.test(text) ? `\u2068${text}\u2069` : text)

/** Isolates a domain. Its labels keep their order, as in the address bar. */
export const isolateDomain = (domain: string): string => (reordering.test(domain) ? `\u2066${domain}\u2069` : domain)
