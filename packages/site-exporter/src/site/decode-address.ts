/** Decodes percent signs; a text that is not encoded correctly stays as it is. */
export const decodeAddress = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
