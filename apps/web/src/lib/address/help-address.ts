export const openHelp = (): void => void window.open(printHelpAddress(''), '_blank', 'noopener')

/** Address of a page of the user guide, such as `agent-jobs/agents`, or of its first page for an empty text. Open it in a new tab. */
export const printHelpAddress = (page: string): string => `/help/${page}`
