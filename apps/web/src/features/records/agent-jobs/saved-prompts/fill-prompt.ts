// As the server reads them.
const placeholder = /\{\{([\p{L}\p{N}_ -]{1,50})\}\}/gu

/** Replaces placeholders by their values; those without one stay. Braces in a value are text. */
export const fillPrompt = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replaceAll(placeholder, (all, name: string) => values.get(name.trim())?.trim() || all)
