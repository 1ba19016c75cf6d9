export const openHelp = (): void => void window.open(printHelpAddress(''), '_blank', 'noopener')

/** Address of a page of the user guide, such as `agent-jobs/agents`; `''` is its first page. Open it in a new tab. */
export const printHelpAddress = (page: string): string => `/help/${page}`
