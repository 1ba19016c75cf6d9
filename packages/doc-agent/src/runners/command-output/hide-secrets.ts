/** Shorter values are too common in ordinary text to be hidden. */
const minLength = 6

/** Every form of the values that output may repeat: as they are, each of their lines, and inside JSON or an address. */
export const listSecrets = (values: readonly string[]): string[] => {
  const lines = values.flatMap((value) => [value, ...value.split(/\r?\n/)]).map((value) => value.trim())
  const forms = lines.flatMap((line) => [line, JSON.stringify(line).slice(1, -1), encodeURIComponent(line)])
  const long = [...new Set(forms)].filter((form) => form.length >= minLength)
  // The longest first, so that no part of it is left when another one is contained in it.
  return long.toSorted((a, b) => b.length - a.length)
}

/** Replaces every secret in a text by an ellipsis. Expects whole lines: a secret of several lines is hidden line by line. */
export const hideSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
