/** Small words of English that are none in the languages it could be taken for. */
const small = new Set(
  'the of and to is that it for with are this you be can from not if when your has have will which by an or at use using its they we'.split(
    ' ',
  ),
)

/**
 * Whether a text is English, by the share of its small words. Of a text of a few words this cannot be told; with `isPart` such a text counts as being in the
 * language of what it is part of.
 */
export const isEnglish = (text: string, isPart = false): boolean => {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const hits = words.filter((word) => small.has(word)).length
  if (isPart) return words.length < 8 || hits / words.length >= 0.08
  return words.length > 0 && hits / words.length >= 0.12
}
