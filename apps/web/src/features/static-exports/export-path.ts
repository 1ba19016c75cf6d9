/** Address of the page of an export. */
export const exportPath = (exportId: string): string => `/exports/${encodeURIComponent(exportId)}`
