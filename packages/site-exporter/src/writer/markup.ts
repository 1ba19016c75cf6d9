/** HTML that is already safe to write into a page. */
export type Markup = { readonly html: string }

/** Marks sanitised HTML as trusted. */
export const trustHtml = (html: string): Markup => ({ html })

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

type Piece = string | number | null | false | Markup | readonly Piece[]

const toHtml = (piece: Piece): string => {
  if (piece === null || piece === false) return ''
  if (Array.isArray(piece)) return piece.map(toHtml).join('')
  if (typeof piece === 'object') return (piece as Markup).html
  return String(piece).replace(/[&<>"']/g, (character) => escapes[character]!)
}

/** HTML template that escapes everything but trusted HTML. */
export const markup = (strings: TemplateStringsArray, ...pieces: Piece[]): Markup => ({
  html: strings.reduce((html, text, index) => html + toHtml(pieces[index - 1] ?? null) + text),
})
