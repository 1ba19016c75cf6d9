import { voidElements } from '@docket/mdx-language/astro-markup'

const elements = new Set(
  `a abbr acronym address area article aside audio b base bdi bdo big blink blockquote body br button canvas caption center cite code col
colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2
h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark marquee math menu meta meter nav
nobr noscript object ol optgroup option output p param picture pre progress q rp rt ruby s samp script search section select slot small
source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video
wbr animate circle clippath defs desc ellipse filter foreignobject g image line lineargradient marker mask path pattern polygon polyline
radialgradient rect stop symbol text textpath tspan use`.split(/\s+/),
)

const tag = /<(\/?)([A-Za-z][\w.:-]*)(?![\w.:-])((?:"[^"]*"|'[^']*'|[^<>"'])*)>/g

/** Elements that swallow the rest of the page when unclosed. In prose, their unclosed tags are meant as text. */
const takesRest = /^(iframe|math|noembed|noframes|noscript|object|plaintext|select|svg|template|textarea|title|xmp)$/

export const findClosedNames = (html: readonly string[]): ReadonlySet<string> =>
  new Set(
    html.flatMap((piece) =>
      [...piece.matchAll(tag)].flatMap(([, slash, name = '', attributes = '']) =>
        slash || attributes.endsWith('/') ? [name.toLowerCase()] : [],
      ),
    ),
  )

/** Prepares HTML in Markdown for an HTML parser: expands `<Card />`, and escapes tags that are never closed and either unknown or greedy. */
export const repairTags = (html: string, closed: ReadonlySet<string>): string => {
  // The sanitizer removes scripts, styles and comments.
  if (/^\s*<(?:script|style|!--|\?|!)/i.test(html)) return html
  return html.replace(tag, (whole, slash: string, name: string, attributes: string) => {
    const isWord = !elements.has(name.toLowerCase()) || takesRest.test(name.toLowerCase())
    if (isWord && !closed.has(name.toLowerCase())) return whole.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    // An HTML parser would make `<Link>` a `<link>`.
    const element = isCapitalComponent(name) ? `x-${name.toLowerCase()}` : name
    const isSelfClosed = slash === '' && /(^|[\s"'}])\/$/.test(attributes) && !voidElements.test(name)
    if (isSelfClosed) return `<${element}${attributes.slice(0, -1)}></${element}>`
    return element === name ? whole : `<${slash}${element}${attributes}>`
  })
}

const isCapitalComponent = (name: string) => /^(Aside|Button|Code|Details|Frame|Image|Img|Label|Link)$/.test(name)

export const isHtmlElement = (name: string): boolean => elements.has(name.toLowerCase())
