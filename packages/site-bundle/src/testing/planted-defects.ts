/** Host of a planted request; each defect has its own. */
export const toHost = (name: string) => `${name.replaceAll(/[^a-z0-9]+/g, '-')}.example`

type Files = Readonly<Record<string, string>>

/** A defect in a healthy site: files that replace or join those of the site, and the alarm it causes, or `note` for a note. */
export type Defect = {
  name: string
  files: Files
  /** Rule and target. */
  finds: string
  /** The same in order; no alarm at all. */
  twin: Files
  /** Why a browser that opens the page does not make this request by itself. */
  unseen?: 'click' | 'hint'
}

/** A page with a title, a heading and a link home. */
export const page = (body: string, head = '', title = 'Planted') =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body><main><h1 id="start">Page</h1>${body}<a href="/">Home</a></main></body></html>`

const image = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'

/** A site without a defect. Every page is linked, and every file is there. */
export const healthySite: Files = {
  'index.html': page(
    '<a href="/planted/">Planted</a><a href="guide/">Guide</a><a href="/api.html">API</a><a href="a%20b/ü">Ü</a><a href="frame.html">Frame</a><form role="search"></form>',
    '',
    'Home',
  ),
  'guide/index.html': page('<h2 id="set-up">Set up</h2><a name="old-name"></a><a href="../api">API</a>', '', 'Guide'),
  'api.html': page('<h2>No name</h2>', '', 'API'),
  '404.html': page(''),
  'a b/ü.html': page('', '', 'Ü'),
  'file.svg': image,
  'main.css': 'p { color: red }',
  'main.js': 'document.title += ""',
  'module.js': 'export const one = 1',
  'frame.html': page('', '', 'Frame'),
  'font.woff2': '',
  'clip.mp4': '',
  'app.webmanifest': '{}',
}

/** Files of a defect in one page. */
export const planted = (content: string): Files => ({ 'planted/index.html': content })

/** A request in the body, once to another host and once to a file of the site. */
const request = (
  name: string,
  rule: string,
  write: (address: string) => string,
  local: string,
  rest: Partial<Defect> = {},
): Defect => {
  const host = toHost(name)
  const byHost = [
    'outside-image',
    'outside-media',
    'outside-frame',
    'outside-icon',
    'outside-hint',
    'outside-redirect',
    'outside-ping',
  ]
  const address = `https://${host}/asset`
  return {
    name,
    files: planted(page(write(address))),
    finds: `${rule} ${byHost.includes(rule) ? host : address}`,
    twin: planted(page(write(local))),
    ...rest,
  }
}

const inHead = (
  name: string,
  rule: string,
  write: (address: string) => string,
  local: string,
  rest: Partial<Defect> = {},
) => {
  const defect = request(name, rule, write, local)
  const move = (files: Files) =>
    planted(files['planted/index.html']!.replace(/<\/head>(.*?<\/h1>)(.*?)(?=<a href="\/")/s, '$2</head>$1'))
  return { ...defect, files: move(defect.files), twin: move(defect.twin), ...rest }
}

const inStyle = (name: string, rule: string, write: (address: string) => string, local: string) =>
  inHead(name, rule, (address) => `<style>${write(address)}</style>`, local)

const inScript = (
  name: string,
  rule: string,
  write: (address: string) => string,
  local: string,
  type = '',
  rest: Partial<Defect> = {},
) => request(name, rule, (address) => `<script${type}>${write(address)}</script>`, local, rest)

/** Every way a page asks another host when it is opened. */
export const leaks: readonly Defect[] = [
  request('img src', 'outside-image', (to) => `<img alt="" src="${to}">`, '/file.svg'),
  request('img srcset', 'outside-image', (to) => `<img alt="" srcset="${to} 1x, ${to} 2x">`, '/file.svg'),
  request(
    'picture source',
    'outside-image',
    (to) => `<picture><source srcset="${to}"><img alt="" src="/file.svg"></picture>`,
    '/file.svg',
  ),
  request('input image', 'outside-image', (to) => `<input type="image" alt="" src="${to}">`, '/file.svg'),
  request('body background', 'outside-image', (to) => `<table background="${to}"><tr><td>1</table>`, '/file.svg'),
  request('style attribute', 'outside-image', (to) => `<p style="background: url('${to}')">.</p>`, '/file.svg'),
  request('svg image', 'outside-image', (to) => `<svg><image href="${to}" width="9" height="9"/></svg>`, '/file.svg'),
  request(
    'svg xlink image',
    'outside-image',
    (to) => `<svg><image xlink:href="${to}" width="9" height="9"/></svg>`,
    '/file.svg',
  ),
  request('video poster', 'outside-image', (to) => `<video poster="${to}"></video>`, '/file.svg'),
  request('video src', 'outside-media', (to) => `<video src="${to}" preload="auto"></video>`, '/clip.mp4'),
  request('audio source', 'outside-media', (to) => `<audio preload="auto"><source src="${to}"></audio>`, '/clip.mp4'),
  request('iframe', 'outside-frame', (to) => `<iframe src="${to}"></iframe>`, '/frame.html'),
  request('srcdoc', 'outside-image', (to) => `<iframe srcdoc="<img alt='' src='${to}'>"></iframe>`, '/file.svg'),
  request('object', 'outside-object', (to) => `<object data="${to}"></object>`, '/file.svg'),
  request('embed', 'outside-object', (to) => `<embed src="${to}">`, '/file.svg'),
  request(
    'shadow tree',
    'outside-image',
    (to) => `<div><template shadowrootmode="open"><img alt="" src="${to}"></template></div>`,
    '/file.svg',
  ),
  request('late script', 'outside-script', (to) => `<script src="${to}"></script>`, '/main.js'),
  request(
    'scheme of the page',
    'outside-script',
    (to) => `<script src="${to.replace('https:', '')}"></script>`,
    '/main.js',
    {
      finds: `outside-script http://${toHost('scheme of the page')}/asset`,
    },
  ),
  inHead('stylesheet', 'outside-style', (to) => `<link rel="stylesheet" href="${to}">`, '/main.css'),
  inHead('icon', 'outside-icon', (to) => `<link rel="shortcut icon" href="${to}">`, '/file.svg'),
  inHead('manifest', 'outside-manifest', (to) => `<link rel="manifest" href="${to}">`, '/app.webmanifest', {
    unseen: 'hint',
  }),
  inHead('preload', 'outside-script', (to) => `<link rel="preload" as="script" href="${to}">`, '/main.js'),
  inHead('modulepreload', 'outside-script', (to) => `<link rel="modulepreload" href="${to}">`, '/module.js'),
  inHead('prefetch', 'outside-hint', (to) => `<link rel="prefetch" href="${to}">`, '/main.js', { unseen: 'hint' }),
  inHead('preconnect', 'outside-hint', (to) => `<link rel="preconnect" href="${to}">`, '/', { unseen: 'hint' }),
  inHead('dns prefetch', 'outside-hint', (to) => `<link rel="dns-prefetch" href="${to}">`, '/', { unseen: 'hint' }),
  inHead('base', 'outside-image', (to) => `<base href="${to}">`, '/', {
    files: planted(page('<img alt="" src="file.svg">', `<base href="https://${toHost('base')}/">`)),
  }),
  inStyle('css import', 'outside-style', (to) => `@import "${to}";`, '/main.css'),
  inStyle('css import url', 'outside-style', (to) => `@import url(${to}) screen;`, '/main.css'),
  inStyle('css url', 'outside-image', (to) => `h1 { background: url(${to}) }`, '/file.svg'),
  inStyle('css image set', 'outside-image', (to) => `h1 { background: image-set("${to}" 1x) }`, '/file.svg'),
  inStyle(
    'css font',
    'outside-font',
    (to) => `@font-face { font-family: F; src: url(${to}) format("woff2") } h1 { font-family: F }`,
    '/font.woff2',
  ),
  inStyle(
    'css escapes',
    'outside-image',
    (to) => `h1 { background: u\\72l("${to.replace('https', 'http\\73 ')}") }`,
    '/file.svg',
  ),
  {
    name: 'css file',
    files: {
      ...planted(page('', '<link rel="stylesheet" href="/main.css">')),
      'main.css': `h1 { background: url(//${toHost('css file')}/asset) }`,
    },
    finds: `outside-image ${toHost('css file')}`,
    twin: {
      ...planted(page('', '<link rel="stylesheet" href="/main.css">')),
      'main.css': 'h1 { background: url(file.svg) }',
    },
  },
  inScript('fetch', 'outside-call', (to) => `fetch("${to}").catch(() => {})`, '/main.js'),
  inScript('beacon', 'outside-call', (to) => `navigator.sendBeacon("${to}")`, '/main.js'),
  inScript(
    'request',
    'outside-call',
    (to) => `const r = new XMLHttpRequest(); r.open("GET", "${to}"); r.send()`,
    '/main.js',
  ),
  inScript('events', 'outside-call', (to) => `new EventSource("${to}")`, '/main.js'),
  inScript('socket', 'outside-call', (to) => `new WebSocket("${to.replace('https', 'wss')}")`, '/main.js', '', {
    finds: `outside-call wss://${toHost('socket')}/asset`,
  }),
  inScript(
    'loader',
    'outside-script',
    (to) => `const s = document.createElement('script'); s.src = "${to}"; document.head.append(s)`,
    '/main.js',
  ),
  inScript('dynamic import', 'outside-script', (to) => `import("${to}").catch(() => {})`, '/module.js'),
  inScript('module import', 'outside-script', (to) => `import "${to}"`, '/module.js', ' type="module"'),
  {
    name: 'script file',
    files: {
      ...planted(page('<script src="/main.js"></script>')),
      'main.js': `fetch(\`https://${toHost('script file')}/asset?\${1}\`).catch(() => {})`,
    },
    finds: `outside-call https://${toHost('script file')}/asset`,
    twin: {
      ...planted(page('<script src="/main.js"></script>')),
      'main.js': '// fetch("https://a.example/b")\nconst sample = "fetch(\\"https://a.example/b\\")"',
    },
  },
  request('ping', 'outside-ping', (to) => `<a href="/guide/" ping="${to}">Guide</a>`, '/main.js', { unseen: 'click' }),
  {
    name: 'refresh',
    files: planted(page('', `<meta http-equiv="refresh" content="0; url='https://${toHost('refresh')}/asset'">`)),
    finds: `outside-redirect ${toHost('refresh')}`,
    twin: planted(page('', '<meta http-equiv="refresh" content="0; url=/guide/">')),
  },
  {
    name: 'import map',
    files: planted(
      page(
        '<script type="module">import "lib"</script>',
        `<script type="importmap">{"imports":{"lib":"https://${toHost('import map')}/asset"}}</script>`,
      ),
    ),
    finds: `outside-script https://${toHost('import map')}/asset`,
    twin: planted(
      page(
        '<script type="module">import "lib"</script>',
        '<script type="importmap">{"imports":{"lib":"/module.js"}}</script>',
      ),
    ),
  },
]
