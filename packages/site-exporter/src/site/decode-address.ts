/** Decodes percent-encoding. Returns malformed text unchanged. */
export const decodeAddress = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
