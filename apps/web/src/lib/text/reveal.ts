/** Invisible or misleading characters: controls, direction marks, spaces without a width. Joiners stay: scripts and emoji need them. */
const hidden =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[\0-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** Makes hidden characters of untrusted text visible, as a sign or by their number. */
export const revealHiddenCharacters = (text: string): string =>
  text.replaceAll(hidden, (sign) => {
    const code = sign.codePointAt(0)!
    if (code === 0x7f) return '␡'
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`
  })
