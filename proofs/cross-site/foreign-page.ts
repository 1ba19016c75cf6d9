import { createServer } from 'node:http'
import { listenHere } from '#bench/harness/processes.ts'
import { openBrowser } from '#bench/harness/browser.ts'

/** A change that the foreign page tries to cause. */
export type Target = { method: string; url: string; body: string }

/** Serves an empty page on a port of its own. */
const foreignServer = async (): Promise<number> => {
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Elsewhere</title>'),
  )
  return listenHere(server)
}

/** Runs in the page: everything a page can try, and waits until each has been sent or was refused by the browser. */
const attack = async ({ method, url, body }: Target): Promise<void> => {
  const tries: Promise<unknown>[] = []
  const post = (init: RequestInit) => tries.push(fetch(url, { credentials: 'include', ...init }).catch(() => {}))
  for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
    post({ method: 'POST', mode: 'no-cors', headers: { 'content-type': type }, body })
  post({ method: 'POST', mode: 'no-cors', body: new FormData() })
  post({ method, headers: { 'content-type': 'application/json', 'x-docket': '1' }, body })
  post({ method, headers: { 'x-http-method-override': method } })
  navigator.sendBeacon(url, new Blob([body], { type: 'text/plain' }))
  for (const enctype of ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']) {
    const frame = document.createElement('iframe')
    frame.name = `frame-${Math.random()}`
    document.body.append(frame)
    const form = Object.assign(document.createElement('form'), {
      method: 'POST',
      action: url,
      enctype,
      target: frame.name,
    })
    const field = Object.assign(document.createElement('input'), { name: body.slice(0, -1), value: '}' })
    form.append(field)
    document.body.append(form)
    tries.push(new Promise((resolve) => frame.addEventListener('load', resolve, { once: true })))
    form.submit()
  }
  // A sandboxed frame has an opaque origin.
  const sandboxed = document.createElement('iframe')
  sandboxed.setAttribute('sandbox', 'allow-scripts')
  tries.push(new Promise((resolve) => addEventListener('message', resolve, { once: true })))
  const init = JSON.stringify({ method: 'POST', mode: 'no-cors', credentials: 'include', body })
  sandboxed.srcdoc = `<script>fetch(${JSON.stringify(url)}, ${init}).catch(() => {}).finally(() => parent.postMessage(1, '*'))</script>`
  document.body.append(sandboxed)
  await Promise.race([Promise.all(tries), new Promise((resolve) => setTimeout(resolve, 5_000))])
}

/**
 * Opens a page of another port, and one of another site, in a browser that holds the session, and lets both try every
 * change.
 */
export const tryFromForeignPages = async (
  docketUrl: string,
  cookie: string,
  targets: readonly Target[],
): Promise<void> => {
  const port = await foreignServer()
  const { browser, close } = await openBrowser()
  const [name = '', value = ''] = cookie.split(/=(.*)/s, 2)
  for (const foreign of [`http://127.0.0.1:${port}/`, `http://evil.localhost:${port}/`]) {
    const context = await browser.newContext()
    // Weaker than Docket's own cookie, so that the proof does not depend on the cookie.
    await context.addCookies([{ name, value, url: docketUrl, httpOnly: true, sameSite: 'Lax' }])
    const page = await context.newPage()
    for (const target of targets) {
      await page.goto(foreign)
      await page.evaluate(attack, target)
    }
    await context.close()
  }
  await close()
}
