/** Returns text that cannot end a quoted string in a shell, JSON or YAML; null for other text. */
type Checked = (text: string) => string | null

const matching =
  (pattern: RegExp): Checked =>
  (text) => {
    const trimmed = text.trim()
    return trimmed.length <= 253 && pattern.test(trimmed) ? trimmed : null
  }

export const parseOrigin: Checked = (text) => {
  const url = URL.parse(text.trim())
  return url && /^https?:\/\/[a-z0-9.:[\]-]+$/.test(url.origin) ? url.origin : null
}

/** Domain in ASCII, from typed or pasted text. */
export const parseDomain: Checked = (text) => {
  const host = URL.parse(`http://${text.trim().replace(/^[a-z+.-]+:\/\//i, '')}`)?.hostname ?? ''
  return matching(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/)(host)
}

export const parseProjectId = matching(/^[\w.~:@-]+$/)

/** Name of a variable that shells, GitHub and GitLab accept. */
export const parseVariable = matching(/^(?!GITHUB_|CI_)[A-Z_][A-Z0-9_]*$/)
