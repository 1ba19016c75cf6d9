export const commonQueue = 'docket-agent-jobs'

/** Queue of the jobs of an embedded code host by its marker. Null: the project comes from a code host elsewhere. */
export const toQueue = (codeHost: string | null): string =>
  codeHost === null ? commonQueue : `${commonQueue}-${codeHost}`
