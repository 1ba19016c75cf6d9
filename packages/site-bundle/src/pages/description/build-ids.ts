/** Parts of names and texts that differ between two builds of the same source. */

const extensions = 'm?js|css|json|map|woff2?|ttf|otf|eot|png|jpe?g|gif|svg|webp|avif|ico|mp4|webm|mp3|pdf|zip|wasm'

/** `app.3f2a9c1d.js`, `index-BxJ3k_2a.css`. */
const hashedName = new RegExp(
  String.raw`[.\-_~](?=[\w-]{0,31}[\dA-Z])[\w-]{6,32}(?=(?:\.min|\.lean|\.module)?\.(?:${extensions})\b)`,
  'g',
)

const isBuildId = (segment: string) =>
  /^[0-9a-f]{7,64}$/i.test(segment) || (/^[\w-]{16,40}$/.test(segment) && /\d/.test(segment) && /[A-Z]/.test(segment))

/** A file's path without hashes and build ids: the same for the same file of two builds. */
export const neutralisePath = (path: string): string => {
  const segments = path.split('/').map((segment) => (isBuildId(segment) ? '*' : segment))
  const name = segments.pop() ?? ''
  const neutral = name.replace(hashedName, '').replace(/^(?:[0-9a-f]{7,64}|\d+)(?=\.|$)/i, '*')
  return [...segments, neutral].join('/')
}

const volatile = [
  // Comments with banners and addresses of source maps.
  /\/\*[#!@]?\s*(?:sourceMappingURL|build|built|generated|v?\d)[^*]*\*\//gi,
  /\/\/# sourceMappingURL=\S+/g,
  // Dates, times, and what counts seconds or milliseconds.
  /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g,
  /\b1\d{9}(?:\d{3})?\b/g,
  // UUIDs and hashes.
  /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi,
  /\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}\b/g,
  /(?<=[?&](?:v|ver|h|hash|t|_)=)[\w.-]+/g,
]

export const neutraliseText = (text: string): string => {
  let neutral = text.replace(hashedName, '')
  for (const pattern of volatile) neutral = neutral.replace(pattern, '')
  return neutral.replace(/\s+/g, ' ').trim()
}
