import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { drawings, payloads } from './payloads.ts'
import type { SourceBuilder } from './source-builder.ts'

const script = '<script>window.ran=1;alert(1)</script>'

/**
 * Words that stand in files outside of the folder, and in hidden ones inside it. None of them may come into a bundle.
 */
export const canaries = { outside: 'canary-from-outside-51c2', hidden: 'canary-from-hidden-90ab' }

const names = [
  'a b.md',
  'a-b.md',
  '100%.md',
  'what?.md',
  'c#.md',
  'x&y<z>.md',
  "it's “quoted”.md",
  'new\nline.md',
  'back\\slash.md',
  '-.md',
  '~.md',
  'con.md',
  'NUL.md',
  'Lpt1.note.md',
  'Case.md',
  'case.md',
  'INDEX.md',
  `${'a'.repeat(79)}\u{10400}.md`,
  `${'\u{20BB7}'.repeat(60)}.md`,
  '\u202Egnp.exe.md',
  'e\u0301.md',
  '\u00e9.md',
  'a.html/b.md',
  'a.md',
  'export-report.json/b.md',
  'sitemap.xml/b.md',
  'media/x.12345678.svg/b.md',
  '404.md',
  '<script>alert(1)<／script>.md',
  '-__proto__.md',
  'constructor/prototype.md',
]

/**
 * A site that tries to run, load and read what it must not, in every place where a source says something. `outside` is
 * beside its folder.
 */
export const fillDangerousSite = (source: SourceBuilder, outside: string): void => {
  const { page, file, reported, folder, planted } = source
  const up = `../${outside.split('/').at(-1)}`
  for (const [index, payload] of payloads.entries()) {
    page(`payloads/${index}.md`, `# Payload ${index}\n\nBefore\n\n${payload}\n\n`)
    page(`payloads/${index}-x.mdx`, `# Payload ${index}\n\nBefore\n\n${payload}\n\n`)
  }
  for (const name of names) page(name, `# ${name.replaceAll(/[\n<>\\]/g, ' ')}\n\n${script}\n`)
  page('index.md', `# Home\n\n${names.map((name) => `- [page](<${encodeURIComponent(name)}>)`).join('\n')}\n`)
  for (const [name, content] of Object.entries(drawings)) {
    file(`drawings/${name}`, content)
    page(`drawings/${name}.md`, `# Drawing\n\n![drawing](${name}) [open](${name})\n`)
    reported(name)
  }
  page('inline.md', `# Inline\n\n${Object.values(drawings).slice(0, 3).map(String).join('\n\n')}\n`)

  const titles = [
    `</title>${script}`,
    `"><img src=x onerror=alert(1)>`,
    '\u202Elmth.live\u2066',
    '\\uD800 \\u0000',
    `'+alert(1)+'`,
  ]
  for (const [index, title] of titles.entries()) {
    const quoted = JSON.stringify(title).replaceAll('\\\\', '\\')
    page(
      `titles/${index}.md`,
      `---\ntitle: ${quoted}\nsidebarTitle: ${quoted}\ndescription: ${quoted}\nopenapi: ${quoted}\n---\n\n## ${title}\n`,
    )
  }
  page(
    'search.md',
    `# exports\n\n## exports\n\n## module\n\n## define\n\n## MiniSearch\n\n"index":[] __proto__ ${'constructor '.repeat(9)} \u2028 </script>${script}\n`,
  )
  page(
    'tags.md',
    '---\ntitle: !!js/function "function(){globalThis.ran=1}"\nx: !!python/object/apply:os.system ["touch /tmp/ran"]\n---\n# Tags\n',
  )
  page(
    'aliases.md',
    `---\na: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
      .split('')
      .map((name, i) => `${name}: &${name} [${`*${'abcdefgh'[i]},`.repeat(9)}]`)
      .join('\n')}\n---\n# Aliases\n`,
  )

  const read = (path: string) => [
    `![x](${path}/secret.png) [x](${path}/secret.txt) <video src="${path}/secret.png"></video>`,
    `<<< ${path}/secret.txt`,
    `<!--@include: ${path}/secret.md-->`,
    `{{#include ${path}/secret.md}}`,
  ]
  const ways = [
    up,
    outside,
    '/..'.repeat(9) + outside,
    'linked',
    './linked',
    'payloads/../../'.repeat(2) + up,
    encodeURIComponent(up),
    'C:\\..\\..',
  ]
  for (const [index, way] of ways.entries()) {
    page(`reads/${index}.md`, `# Reads\n\n${read(way).join('\n\n')}\n`)
    page(
      `reads/${index}-x.mdx`,
      `import Secret from "${way}/secret.md"\nimport { word } from "${way}/secret.mdx"\n\n# Reads\n\n<Secret />\n\n{word}\n`,
    )
  }
  page(
    'hidden.md',
    `# Hidden\n\n${['.env', '.git/config', 'payloads/../.env'].flatMap((name) => [`<<< ./${name}`, `<!--@include: ./${name}-->`, `{{#include ${name}}}`, `[x](${name})`]).join('\n\n')}\n`,
  )
  file('.env', `KEY=${canaries.hidden}\n`)
  file('.git/config', `[remote "origin"]\n\turl = https://x:${canaries.hidden}@example.com\n`)
  page('special.md', '# Special\n\n<<< ./pipe\n\n<!--@include: ./device-->\n\n![x](pipe.png) [x](device)\n')
  page('kinds.md', '# Kinds\n\n[a](kinds.toml) [b](kinds.html) [c](kinds.js) [d](kinds.csv) [e](kinds.htaccess)\n')
  for (const kind of ['toml', 'html', 'js', 'csv', 'htaccess']) file(`kinds.${kind}`, `<html>${script}</html>`)

  symlinkSync(join(outside, 'secret.md'), join(folder, 'linked.md'))
  symlinkSync(outside, join(folder, 'linked'))
  symlinkSync(folder, join(folder, 'circle'))
  symlinkSync('/dev/zero', join(folder, 'zero.png'))
  symlinkSync('/proc/self/environ', join(folder, 'environ.md'))
  for (const name of ['linked.md', 'linked', 'circle', 'zero.png', 'environ.md']) reported(name)
  for (const name of ['pipe', 'pipe.png', 'pipe.md']) {
    execFileSync('mkfifo', [join(folder, name)])
    reported(name)
  }
  // Only an administrator can make one.
  try {
    execFileSync('mknod', [join(folder, 'device'), 'c', '1', '5'], { stdio: 'ignore' })
    reported('device')
  } catch {}

  file('openapi.json', JSON.stringify(dangerousApi(`${up}/secret.json`)))
  const pages = planted.flatMap(({ file: name, words }) => (words === null ? [] : [name.replace(/\.mdx?$/, '')]))
  file('docs.json', JSON.stringify(dangerousSettings(up, pages)))
  for (const redirect of ['_docket/site.css/x', 'export-report.json/x', '../up', 'old/script']) reported(redirect)
}

const dangerousApi = (outside: string) => ({
  openapi: '3.1.0',
  info: { title: script },
  servers: [{ url: 'javascript:alert(1)' }, { url: 'http://evil.example' }],
  paths: {
    [`/things/${script}`]: {
      get: {
        summary: `"><img src=x onerror=alert(1)> \ud800`,
        description: `${script} [x](javascript:alert(1)) ![x](http://evil.example/x.png)`,
        externalDocs: { url: 'javascript:alert(1)' },
        parameters: [{ name: script, in: 'query', schema: { $ref: `${outside}#/x` }, description: script }],
        responses: { 200: { description: script, content: { [script]: { example: script } } } },
      },
    },
  },
  webhooks: { '../../x': { $ref: outside } },
})

const dangerousSettings = (up: string, pages: readonly string[]) => ({
  name: `</title>${script}`,
  description: `"><meta http-equiv="refresh" content="0;url=http://evil.example">`,
  colors: { primary: '#fff;}</style><script>alert(1)</script>', light: 'url(http://evil.example)' },
  logo: { light: `${up}/secret.png`, dark: 'drawings/script.svg' },
  favicon: 'drawings/handler.svg',
  openapi: ['openapi.json', `${up}/secret.json`, 'http://evil.example/openapi.json', 'file:///etc/passwd'],
  navigation: {
    tabs: [
      {
        tab: script,
        pages: [
          'index',
          { group: `"><img src=x onerror=alert(1)>`, pages: ['search', 'javascript:alert(1)', `${up}/secret`] },
          { group: 'All', pages },
        ],
      },
      { $ref: `${up}/secret.json` },
      { $ref: '.git/config' },
      { anchor: 'x', href: 'javascript:alert(1)' },
    ],
  },
  redirects: [
    { source: '/old/evil', destination: 'http://evil.example/moved' },
    { source: '/old/slashes', destination: '//evil.example/moved' },
    { source: '/old/script', destination: 'javascript:alert(1)' },
    { source: '/old/half', destination: '/index#\ud800"><script>alert(1)</script>' },
    { source: '/_docket/site.css/x', destination: '/index' },
    { source: '/export-report.json/x', destination: '/index' },
    { source: '/../up', destination: '/index' },
    { source: '/__proto__', destination: '/index' },
  ],
})
