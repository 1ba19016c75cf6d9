/** Downloads what an address answers with, under the name that it gives. */
export const saveFile = (href: string): void => {
  const link = document.createElement('a')
  link.href = href
  link.download = ''
  link.click()
}
