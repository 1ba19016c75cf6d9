/**
 * True when a page of one name may set cookies for the other. Both then share a registrable domain, which has at least two labels. Some
 * names that share two labels belong to different owners (`co.uk`); they count as shared too.
 */
export const mayShareCookies = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((name) => name.toLowerCase().split('.').toReversed())
  return a![0] === b![0] && (a!.length === 1 || b!.length === 1 || a![1] === b![1])
}
