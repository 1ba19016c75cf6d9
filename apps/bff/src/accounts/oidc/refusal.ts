import type { OidcRefusal } from '@docket/api-types/accounts'

/** A sign-in by single sign-on that did not come about, as the sign-in page tells it. `cause` stays in the log. */
export class OidcRefused extends Error {
  override readonly name = 'OidcRefused'
  readonly word: OidcRefusal

  constructor(word: OidcRefusal, because: string, options: { cause?: unknown } = {}) {
    super(because, options)
    this.word = word
  }
}
