/** Why an archive is refused: `too_large` has too many bytes or files; `refused` is unsafe, damaged or beyond another bound. */
export type RefusalReason = 'not_an_archive' | 'too_large' | 'refused'

/** An archive that Docket does not read. The message is a sentence for the reader; names from the archive in it are untrusted. */
export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused'
  readonly reason: RefusalReason
  constructor(reason: RefusalReason, sentence: string) {
    super(sentence)
    this.reason = reason
  }
}

/** Refuses an archive as unsafe or damaged. */
export const refuse = (sentence: string): never => {
  throw new ArchiveRefused('refused', sentence)
}
