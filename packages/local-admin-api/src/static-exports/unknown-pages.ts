const named = 5

/** Says which pages a site does not have. */
export const noPages = (paths: readonly string[]): string => {
  const more = paths.length > named ? ` and ${paths.length - named} more` : ''
  return `The site has no page ${paths.slice(0, named).join(', ')}${more}`
}
