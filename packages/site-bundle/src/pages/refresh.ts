/** Address in the `content` of a refresh; null when it only reloads. */
export const readRefresh = (content: string): { address: string; afterSeconds: number } | null => {
  const [, after = '', address = ''] = /^\s*(\d*)(?:\.[\d.]*)?\s*[;,\s]\s*(?:url\s*=\s*)?(.*)$/is.exec(content) ?? []
  const bare = address.trim().replace(/^(["'])(.*?)\1.*$/s, '$2')
  return bare === '' ? null : { address: bare, afterSeconds: Number(after) }
}
