/** Downloads a file from an address, under the name in the response or under `name`. */
export const saveFile = (href: string, name = ''): void => {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  link.click()
}

export const saveText = (name: string, text: string): void => {
  const href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  saveFile(href, name.replaceAll(/[^\w.-]+/gu, '-'))
  setTimeout(() => URL.revokeObjectURL(href), 10_000)
}
