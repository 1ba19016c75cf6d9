import { expect, test } from 'vitest'
import { exportFiles } from '#testing/site.ts'
import { findSvgProblem } from './harmless-svg.ts'

const svg = (inside: string, more = '') => `<svg xmlns="http://www.w3.org/2000/svg" ${more}>${inside}</svg>`
const findProblem = (text: string | Buffer) => findSvgProblem(Buffer.from(text as string))

test.each([
  ['a script', svg('<script>alert(1)</script>')],
  ['a script behind a prefix', '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script>alert(1)</s:script></s:svg>'],
  ['a script of HTML', svg('<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>')],
  ['a handler', svg('', 'onload="alert(1)"')],
  ['a handler that all elements get', `<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]>${svg('')}`],
  ['an entity', `<!DOCTYPE svg [<!ENTITY x "y">]>${svg('&x;')}`],
  ['UTF-16', Buffer.from(`\uFEFF${svg('<script>alert(1)</script>')}`, 'utf16le')],
  ['another encoding', `<?xml version="1.0" encoding="ISO-2022-JP"?>${svg('<scr\u001B(Bipt>1</scr\u001B(Bipt>')}`],
  ['a link in character references', svg('<a href="java&#115;cript:alert(1)"><text>x</text></a>')],
  ['an animated link', svg('<a><set attributeName="href" to="javascript:alert(1)"/></a>')],
  ['a frame', svg('<foreignObject><iframe/></foreignObject>')],
  ['an image from elsewhere', svg('<image href="//evil.example/x.png"/>')],
  ['a fill from elsewhere', svg('<rect fill="url( https://evil.example/x#a)"/>')],
  ['styles from elsewhere', svg('<style>@import url(//evil.example/x.css)</style>')],
  ['styles in disguise', svg('<style><![CDATA[rect{fill:u\\72l(https://evil.example)}]]></style>')],
  ['a style sheet', `<?xml-stylesheet href="https://evil.example/x.css"?>${svg('')}`],
  ['half of its XML', '<svg xmlns="http://www.w3.org/2000/svg"><g>'],
])('a drawing with %s is not copied', (_, drawing) => {
  expect(findProblem(drawing)).not.toBeNull()
})

test('an SVG written by a drawing program is copied', () => {
  const drawing = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
${svg(
  `<metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:li>x</rdf:li></rdf:RDF></metadata>
<style>.a{fill:url(#g);stroke:#fff}</style><defs><linearGradient id="g"><stop offset="0"/></linearGradient></defs>
<path class="a" d="M0 0L9 9" style="mask:url('#m')"/><use xlink:href="#g"/><image href="data:image/png;base64,AAAA"/>
<animateTransform attributeName="transform" type="rotate" dur="1s"/><text>1 &lt; 2</text>`,
  'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" inkscape:version="1"',
)}`
  expect(findProblem(drawing)).toBeNull()
})

test('files that begin like an HTML page are copied as text', async () => {
  const { files } = await exportFiles({ 'index.md': '[a](a.toml) [b](b.csv)\n', 'a.toml': '\n <html>', 'b.csv': 'x,y' })
  const media = [...files.keys()].filter((name) => name.startsWith('media/'))
  expect(media).toEqual([expect.stringMatching(/\.toml\.txt$/), expect.stringMatching(/\.csv$/)])
})
