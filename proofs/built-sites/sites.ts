/** A site's source by path. A folder is made for each. */
type Files = Readonly<Record<string, string | Buffer>>

/** A site that a tool from npm builds. */
export type SourceSite = {
  name: string
  /** Where the tool expects to be served. */
  mount: string
  tool: Tool
  files: Files
}

/** A generator: exact versions from npm, its command, and the folder that it writes. */
type Tool = { packages: Readonly<Record<string, string>>; command: readonly string[]; output: string }

const tools = {
  vitepress: {
    packages: { vitepress: '1.6.4', vue: '3.5.39' },
    command: ['vitepress', 'build'],
    output: '.vitepress/dist',
  },
  docusaurus: {
    packages: {
      '@docusaurus/core': '3.10.2',
      '@docusaurus/preset-classic': '3.10.2',
      '@docusaurus/plugin-client-redirects': '3.10.2',
      '@easyops-cn/docusaurus-search-local': '0.55.3',
      react: '19.3.1',
      'react-dom': '19.3.1',
    },
    command: ['docusaurus', 'build'],
    output: 'build',
  },
  starlight: {
    packages: { astro: '7.3.5', '@astrojs/starlight': '0.42.4', sharp: '0.35.5' },
    command: ['astro', 'build'],
    output: 'dist',
  },
  eleventy: { packages: { '@11ty/eleventy': '3.1.8' }, command: ['eleventy'], output: '_site' },
  next: {
    packages: { next: '16.4.6', react: '19.3.1', 'react-dom': '19.3.1' },
    command: ['next', 'build'],
    output: 'out',
  },
} satisfies Record<string, Tool>

const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="18" fill="teal"/></svg>\n'
/** One transparent pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Names that writers give to pages, and that hosts like to read in their own ways. */
const topics = ['start', 'install', 'v1.2', 'FAQ', 'c++', 'überblick', 'index-of-terms', 'node.js']

/** Files that the tools copy as they are. */
const copied = (folder: string): Files => ({
  [`${folder}/logo.svg`]: picture,
  [`${folder}/favicon.svg`]: picture,
  [`${folder}/pictures/step-1.png`]: pixel,
  [`${folder}/pictures/Screenshot 2.png`]: pixel,
  [`${folder}/robots.txt`]: 'User-agent: *\nAllow: /\n',
  [`${folder}/LICENSE`]: 'Free for everybody.\n',
  [`${folder}/files/report.pdf`]: '%PDF-1.4\n%%EOF\n',
  [`${folder}/files/data.json`]: '{"items":[1,2,3]}\n',
  [`${folder}/files/sample.yaml`]: 'a: 1\n',
  [`${folder}/files/table.csv`]: 'a,b\n1,2\n',
  [`${folder}/files/example.tar.gz`]: Buffer.from('1f8b0800000000000003030000000000', 'hex'),
  [`${folder}/files/feed.rss`]:
    '<?xml version="1.0"?><rss version="2.0"><channel><title>News</title></channel></rss>\n',
  [`${folder}/files/captions.vtt`]: 'WEBVTT\n',
  [`${folder}/.well-known/security.txt`]: 'Contact: mailto:security@example.com\n',
})

/** `write` makes the text of each page of a part: its head, its body. */
const pages = (folder: string, part: string, ending: string, write: (title: string, body: string) => string): Files =>
  Object.fromEntries(
    topics.map((topic, at) => {
      const next = topics[(at + 1) % topics.length]!
      const body = `Text about ${topic} in ${part}.\n\n## One section\n\nNext: \`${next}\`.\n\n## Größe\n\nMore text.\n`
      return [`${folder}/${part}/${topic}.${ending}`, write(`${topic} of ${part}`, body)]
    }),
  )

const markdown = (title: string, body: string) => `---\ntitle: "${title}"\n---\n\n${body}`
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

const vitepress = (mount: string): SourceSite => ({
  name: `VitePress at ${mount}`,
  mount,
  tool: tools.vitepress,
  files: {
    '.vitepress/config.mjs': `export default ${json({
      title: 'Built',
      base: mount,
      cleanUrls: mount === '/',
      lastUpdated: false,
      rewrites: { 'reference/install.md': 'reference/set-up/index.md' },
      sitemap: { hostname: 'https://docs.example.com' },
      locales: { root: { label: 'English', lang: 'en' }, ar: { label: 'العربية', lang: 'ar', dir: 'rtl' } },
      themeConfig: {
        search: { provider: 'local' },
        i18nRouting: false,
        nav: [{ text: 'Guide', link: '/guide/' }],
        sidebar: [{ text: 'Guide', link: '/guide/' }],
      },
    })}`,
    'index.md': '---\nlayout: home\nhero: { name: Built }\n---\n\n[Guide](/guide/)\n',
    'guide/index.md': `# Guide\n\n![Logo](/logo.svg) ![Step](/pictures/step-1.png) ![Own](./own.png)\n\n${topics.map((topic) => `- [${topic}](<./${topic}.md>)`).join('\n')}\n`,
    'guide/own.png': Buffer.concat([pixel, Buffer.alloc(5_000)]),
    'ar/index.md': '# أهلا\n\n[دليل](/ar/guide/start)\n',
    ...pages('.', 'guide', 'md', markdown),
    ...pages('.', 'reference', 'md', markdown),
    ...pages('ar', 'guide', 'md', markdown),
    ...copied('public'),
  },
})

const docusaurus = (mount: string): SourceSite => ({
  name: `Docusaurus at ${mount}`,
  mount,
  tool: tools.docusaurus,
  files: {
    'docusaurus.config.js': `export default ${json({
      title: 'Built',
      url: 'https://docs.example.com',
      baseUrl: mount,
      ...(mount === '/' && { trailingSlash: false }),
      onBrokenLinks: 'throw',
      presets: [['classic', { docs: { sidebarPath: './sidebars.js' }, blog: { onUntruncatedBlogPosts: 'ignore' } }]],
      plugins: [
        [
          '@docusaurus/plugin-client-redirects',
          {
            redirects: [
              { from: '/old', to: '/docs/guide/start' },
              { from: ['/older/deep', '/older.html'], to: '/blog' },
            ],
          },
        ],
      ],
      themes: [['@easyops-cn/docusaurus-search-local', { hashed: true }]],
      themeConfig: { navbar: { title: 'Built', logo: { src: '/logo.svg' } } },
    })}`,
    'sidebars.js': "export default { docs: [{ type: 'autogenerated', dirName: '.' }] }\n",
    'docs/intro.md':
      '---\nslug: /\n---\n\n# Intro\n\n![Step](/pictures/step-1.png) [Report](pathname:///files/report.pdf)\n',
    'blog/2026-01-02-first.md': '---\ntags: [news, größe]\n---\n\n# First\n\nText.\n',
    'src/pages/index.md': '# Home\n\n[Docs](/docs)\n',
    ...pages('docs', 'guide', 'md', markdown),
    ...pages('docs', 'reference', 'md', markdown),
    ...copied('static'),
  },
})

const starlight = (mount: string): SourceSite => ({
  name: `Starlight at ${mount}`,
  mount,
  tool: tools.starlight,
  files: {
    'astro.config.mjs': `import { defineConfig } from 'astro/config'
import starlight from '@astrojs/starlight'
export default defineConfig({
  site: 'https://docs.example.com',
  base: '${mount}',
  ${mount === '/' ? '' : "build: { format: 'file' },"}
  redirects: { '/old': '${mount}guide/start/', '/older/deep': 'https://elsewhere.example/' },
  integrations: [starlight({
    title: 'Built',
    logo: { src: './src/assets/logo.svg' },
    locales: { root: { label: 'English', lang: 'en' }, ar: { label: 'العربية', lang: 'ar', dir: 'rtl' } },
    sidebar: [{ label: 'Guide', items: [{ autogenerate: { directory: 'guide' } }] }, { label: 'Reference', items: [{ autogenerate: { directory: 'reference' } }] }],
  })],
})
`,
    'src/content.config.ts': `import { defineCollection } from 'astro:content'
import { docsLoader } from '@astrojs/starlight/loaders'
import { docsSchema } from '@astrojs/starlight/schema'
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) }
`,
    'src/assets/logo.svg': picture,
    'src/assets/own.png': pixel,
    'src/content/docs/index.md': markdown('Home', '![Own](../../assets/own.png)\n'),
    'src/content/docs/ar/index.md': markdown('أهلا', 'نص\n'),
    ...pages('src/content/docs', 'guide', 'md', markdown),
    ...pages('src/content/docs', 'reference', 'md', markdown),
    ...pages('src/content/docs/ar', 'guide', 'md', markdown),
    ...copied('public'),
  },
})

const eleventyPage = (title: string, body: string) => `---\ntitle: "${title}"\nlayout: page.njk\n---\n\n${body}`

const eleventy: SourceSite = {
  name: 'Eleventy at /',
  mount: '/',
  tool: tools.eleventy,
  files: {
    'eleventy.config.mjs': `export default function (config) {
  config.addPassthroughCopy({ public: '.' })
  return { dir: { input: 'content', includes: '../layouts' } }
}
`,
    'layouts/page.njk':
      '<!doctype html><html lang="en"><meta charset="utf-8"><title>{{ title }}</title><link rel="stylesheet" href="/site.css"><img src="/logo.svg" alt=""><h1>{{ title }}</h1>{{ content | safe }}<ul>{% for one in collections.all %}{% if one.url %}<li><a href="{{ one.url }}">{{ one.data.title }}</a>{% endif %}{% endfor %}</ul></html>\n',
    'content/index.md': eleventyPage(
      'Home',
      '![Step](/pictures/step-1.png) [Screenshot](</pictures/Screenshot 2.png>)\n',
    ),
    'content/404.md':
      '---\ntitle: Not here\npermalink: 404.html\nlayout: page.njk\neleventyExcludeFromCollections: true\n---\n',
    'content/flat.md': '---\ntitle: Flat\npermalink: flat.html\nlayout: page.njk\n---\n',
    'content/both.md': '---\ntitle: Both, a page\npermalink: both.html\nlayout: page.njk\n---\n',
    'content/both/index.md': eleventyPage('Both, a folder', 'Text.\n'),
    'content/htm.md': '---\ntitle: Old ending\npermalink: legacy/index.htm\nlayout: page.njk\n---\n',
    'content/feed.njk':
      '---\npermalink: feed.xml\n---\n<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Feed</title></feed>\n',
    'content/search.njk':
      '---\npermalink: search.json\n---\n[{% for one in collections.all %}{{ one.url | dump | safe }}{% if not loop.last %},{% endif %}{% endfor %}]\n',
    ...pages('content', 'guide', 'md', eleventyPage),
    ...pages('content', 'reference', 'md', eleventyPage),
    ...pages('content/de', 'guide', 'md', eleventyPage),
    ...copied('public'),
    'public/site.css': "@import '/more.css'; body { background: url(/pictures/step-1.png) }\n",
    'public/more.css': 'a { color: teal }\n',
    'public/de/404.html': '<!doctype html><html lang="de"><meta charset="utf-8"><title>Nicht gefunden</title>\n',
    'public/_headers': '/files/*\n  X-Robots-Tag: noindex\n',
    'public/_redirects': [
      '/old /guide/start/',
      '/older /guide/install/ 301',
      '/kept /guide/FAQ/ 308',
      '/away https://elsewhere.example/docs',
      '/v1/* /guide/:splat',
      '/news/:year/:slug /reference/:slug/ 301',
      '/app/* /flat.html 200',
      '/gone/* /404.html 404',
      '/removed /404.html 410',
      '/lang /de/guide/start/ 302 Language=de',
      '/lang /guide/start/',
      '/api/* https://api.example.com/:splat 200',
    ].join('\n'),
  },
}

const nextPage = (title: string, body: string) =>
  `export const metadata = { title: ${JSON.stringify(title)} }\nexport default function Page() { return <main><h1>{${JSON.stringify(title)}}</h1><p>{${JSON.stringify(body)}}</p></main> }\n`

const next = (mount: string): SourceSite => ({
  name: `Next at ${mount}`,
  mount,
  tool: tools.next,
  files: {
    'next.config.mjs': `export default ${json({
      output: 'export',
      ...(mount === '/' ? {} : { basePath: mount.slice(0, -1), trailingSlash: true }),
      images: { unoptimized: true },
    })}`,
    'app/layout.jsx':
      'import \'./site.css\'\nimport Link from \'next/link\'\nexport default function Layout({ children }) { return <html lang="en"><body><nav><Link href="/">Home</Link> <Link href="/guide/start">Guide</Link> <Link href="/flat">Flat</Link></nav>{children}</body></html> }\n',
    'app/site.css': 'body { font-family: sans-serif; background: url(./own.png) }\n',
    'app/own.png': Buffer.concat([pixel, Buffer.alloc(5_000)]),
    'app/page.jsx': `import Image from 'next/image'\nimport own from './own.png'\nexport default function Page() { return <main><h1>Home</h1><Image src={own} alt="Own" /></main> }\n`,
    'app/not-found.jsx': 'export default function Missing() { return <h1>Not here</h1> }\n',
    'app/flat/page.jsx': nextPage('Flat', 'Text'),
    'app/(group)/grouped/page.jsx': nextPage('Grouped', 'Text'),
    ...Object.fromEntries(
      ['guide', 'reference', 'de/guide'].map((part) => [
        `app/${part}/[slug]/page.jsx`,
        `import Link from 'next/link'
const topics = ${JSON.stringify(topics)}
export const dynamicParams = false
export const generateStaticParams = () => topics.map((slug) => ({ slug }))
export default async function Page({ params }) {
  const { slug } = await params
  return <main><h1>{decodeURIComponent(slug)}</h1><ul>{topics.map((one) => <li key={one}><Link href={'/${part}/' + encodeURIComponent(one)}>{one}</Link></li>)}</ul></main>
}
`,
      ]),
    ),
    'app/data.json/route.js':
      "export const dynamic = 'force-static'\nexport const GET = () => Response.json({ items: [1] })\n",
    'app/feed.xml/route.js':
      "export const dynamic = 'force-static'\nexport const GET = () => new Response('<feed/>', { headers: { 'content-type': 'application/xml' } })\n",
    'app/sitemap.js':
      "export const dynamic = 'force-static'\nexport default function sitemap() { return [{ url: 'https://docs.example.com/' }] }\n",
    ...copied('public'),
  },
})

/** Five generators, three of them at a path, too. */
export const sourceSites: readonly SourceSite[] = [
  vitepress('/'),
  vitepress('/proj/'),
  docusaurus('/'),
  docusaurus('/proj/'),
  starlight('/'),
  starlight('/proj/'),
  eleventy,
  next('/'),
  next('/proj/'),
]
