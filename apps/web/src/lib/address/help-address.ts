export const openHelp = (): void => void window.open(helpAddress(''), '_blank', 'noopener')

/** Address of a page of the user guide, such as `agent-jobs/agents`, or of its first page for an empty text. Open it in a new tab. */
export const helpAddress = (page: string): string => `/help/${page}`
