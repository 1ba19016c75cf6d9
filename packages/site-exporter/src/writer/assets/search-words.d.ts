export declare const searchTerms: {
  ascii: RegExp
  /** Words, and runs of characters in scripts without spaces. */
  runs: RegExp
  isUnspaced: (text: string) => boolean
  foldWord: (word: string) => string
  pairCharacters: (run: string) => string[]
}
