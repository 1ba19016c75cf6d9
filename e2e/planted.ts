import { basename } from 'node:path'
import type { BrowserContext } from '@playwright/test'

type Plant = (context: BrowserContext) => Promise<unknown>

/** Runs in every page and frame before its own scripts. */
const run =
  (script: () => void): Plant =>
  (context) =>
    context.addInitScript(script)

/** Adds rules to every page in a way that the policy allows. */
const restyle =
  (rules: string): Plant =>
  (context) =>
    context.addInitScript((text) => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(text)
      document.adoptedStyleSheets = [sheet]
    }, rules)

/** Keeps events of a type from every listener, or the presses of one key. */
const swallow =
  (type: string, key?: string): Plant =>
  (context) =>
    context.addInitScript(
      ([name, only]) =>
        addEventListener(
          name,
          (event) => {
            if (only !== null && (event as KeyboardEvent).key !== only) return
            event.preventDefault()
            event.stopImmediatePropagation()
          },
          true,
        ),
      [type, key ?? null] as const,
    )

/** Answers requests with a success that nothing stands behind. */
const lose =
  (method: string, path: RegExp): Plant =>
  (context) =>
    context.route(path, (route) =>
      route.request().method() === method ? route.fulfill({ status: 204 }) : route.fallback(),
    )

/** Cuts off the end of every download. */
const cutDownloads: Plant = (context) =>
  context.route(/\/download(\?|$)/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.body()).subarray(0, -9) })
  })

/** Only a page that Docket or a site serves has a clipboard. */
const copyNothing = run(() => {
  if (isSecureContext) navigator.clipboard.writeText = () => Promise.resolve()
})

/** One fault in the page for each file of browser tests. At least one test of the file has to notice it. */
const plants: Readonly<Record<string, Plant>> = {
  about: lose('POST', /\/api\/account\/read-news$/),
  accessibility: restyle('button, button * { color: #999 !important; background: #aaa !important }'),
  accounts: run(() => (Storage.prototype.removeItem = Storage.prototype.clear = () => {})),
  activity: swallow('keydown', 'r'),
  addresses: run(() => (history.pushState = history.replaceState.bind(history))),
  'agent-jobs': run(() =>
    addEventListener('input', ({ target }) => sessionStorage.setItem('typed', (target as HTMLTextAreaElement).value)),
  ),
  'agent-prompts': run(() => sessionStorage.clear()),
  'api-tokens': copyNothing,
  artifacts: run(() => {
    const isFramed = self !== top
    if (isFramed) addEventListener('securitypolicyviolation', (event) => event.stopImmediatePropagation(), true)
  }),
  audit: swallow('change'),
  bundles: copyNothing,
  connected: restyle('article p { max-width: 3rem !important; overflow: hidden; white-space: nowrap !important }'),
  connections: run(() => {
    for (const name of ['pushState', 'replaceState'] as const) {
      const write = history[name].bind(history)
      history[name] = (state, unused, url) =>
        write(state, unused, url && String(url).replace(/[?&]connection=[^&]*/, ''))
    }
  }),
  'exported-site': cutDownloads,
  'first-paint': restyle('#root h1 { padding-top: 3px }'),
  'follow-jobs': swallow('drop'),
  'hidden-names': run(() =>
    new MutationObserver(() => document.querySelector('h1')?.setAttribute('title', '\u202e')).observe(document, {
      childList: true,
      subtree: true,
    }),
  ),
  history: swallow('keydown', 'ArrowLeft'),
  home: lose('POST', /\/dismiss$/),
  lists: run(() => addEventListener('click', (event) => event.shiftKey && event.stopImmediatePropagation(), true)),
  maintenance: run(() => sessionStorage.clear()),
  newcomer: cutDownloads,
  'own-address': run(() => (document.cookie = 'docket_planted=1')),
  'page-watch': swallow('securitypolicyviolation'),
  policy: (context) =>
    context.route(
      (url) => !url.pathname.includes('.'),
      async (route) => {
        if (route.request().resourceType() !== 'document') return route.fallback()
        const response = await route.fetch()
        const { 'content-security-policy': _removed, ...headers } = response.headers()
        return route.fulfill({ response, headers })
      },
    ),
  'portable-site': swallow('input'),
  resilience: swallow('offline'),
  secrets: run(() => sessionStorage.setItem('link', '/storage/bundles/1?signature=2')),
  shell: run(() => (HTMLElement.prototype.focus = () => {})),
  'sign-in-methods': run(() => (navigator.credentials.get = () => Promise.resolve(null))),
  'site-check': swallow('securitypolicyviolation'),
  'site-settings': lose('PATCH', /\/api\/sites\/.*\/channels\//),
  sites: lose('POST', /\/channels\/[^/]+\/releases$/),
  // oxlint-disable-next-line no-console -- it is the subject
  smoke: run(() => console.error('planted')),
  'static-exports': run(() => sessionStorage.clear()),
  'store-recovery': lose('POST', /\/api\/storage\/decisions$/),
  'stored-exports': run(() => (history.replaceState = () => {})),
  targets: lose('POST', /\/target-tests$/),
  'this-machine': swallow('keydown', 'Enter'),
  translated: run(() => {
    for (const name of ['removeChild', 'insertBefore'] as const) {
      const original = Node.prototype[name]
      Object.defineProperty(Node.prototype, name, { get: () => original, set: () => {} })
    }
  }),
  'unknown-outcomes': lose('POST', /\/api\/static-exports\/.*\/(restore|attach)$/),
}

const planted = basename(process.env.PLANTED ?? '', '.spec.ts')

/**
 * Plants the fault of a file in the pages of a context when `PLANTED` names the file, such as `shell`, or is `all`.
 * Throws when the file has none.
 */
export const plantFault = async (context: BrowserContext, file: string): Promise<void> => {
  const name = basename(file, '.spec.ts')
  const plant = plants[name]
  if (plant === undefined) throw new Error(`${basename(file)} has no planted fault in e2e/planted.ts`)
  if (planted === name || planted === 'all') await plant(context)
}
