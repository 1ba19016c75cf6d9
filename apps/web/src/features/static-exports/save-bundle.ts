import { downloadPath } from './static-exports.queries.ts'

/** Has the browser download a prepared bundle. */
export const saveBundle = (exportId: string): void => {
  const link = document.createElement('a')
  link.href = downloadPath(exportId)
  link.download = ''
  link.click()
}
