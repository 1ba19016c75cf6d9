const unknownAuthority = /^(?:UNABLE_TO_(?:GET|VERIFY)_|SELF_SIGNED_|DEPTH_ZERO_SELF_SIGNED)/

/** What to do about a certificate that isn't trusted, as a sentence. */
export const buildTrustRemedy = (setting = 'NODE_EXTRA_CA_CERTS'): string =>
  `If a private authority issued it, name a file with that authority in ${setting}.`

/** The rest of a sentence about a server, for the code of an error whose likely cause is a private authority. Null for any other code. */
export const explainUntrusted = (code: string, setting?: string): string | null =>
  unknownAuthority.test(code) ? `its certificate isn’t trusted here (${code}). ${buildTrustRemedy(setting)}` : null
