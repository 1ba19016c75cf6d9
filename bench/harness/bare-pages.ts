import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const web = join(import.meta.dirname, '..', '..', 'apps', 'web')

const style = `body { font: 15px/1.5 system-ui; margin: 2rem auto; max-width: 60rem; }
article { border: 1px solid #ccc; border-radius: 6px; margin: 0 0 8px; padding: 12px 16px; min-height: 48px; }
h2 { font-size: 15px; margin: 0; } p { margin: 0; color: #555; }`

/** A page of cards without a script: the least a browser can do to show as many records. */
export const cardPage = (cards: readonly { title: string; text: string }[]): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Cards</title><style>${style}</style><body><h1>Exports</h1>
<input aria-label="Filter">
${cards.map(({ title, text }) => `<article><h2>${title}</h2><p>${text}</p></article>`).join('\n')}`

const script = `import { createElement as h, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
const Page = () => {
  const [items, setItems] = useState([])
  useEffect(() => {
    fetch('/api/static-exports').then((answer) => answer.json()).then((page) => setItems(page.items))
  }, [])
  return h('main', null, h('h1', null, 'Exports'),
    items.map((item) => h('article', { key: item.exportId }, h('h2', null, item.domain), h('p', null, item.state, ' ', item.startedAt))))
}
createRoot(document.getElementById('root')).render(h(Page))
`

/**
 * A page that is React, one fetch of the list and a card for each record, built as the web app is built: paths and what
 * to answer at them.
 */
export const bareReactPage = async (folder: string): Promise<Record<string, { type: string; text: string }>> => {
  const home = join(folder, 'bare-react')
  mkdirSync(home, { recursive: true })
  const modules = join(web, 'node_modules')
  writeFileSync(join(home, 'main.js'), script)
  writeFileSync(
    join(home, 'index.html'),
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Exports</title><style>${style}</style></head><body><div id="root"></div><script type="module" src="/main.js"></script></body></html>`,
  )
  writeFileSync(
    join(home, 'vite.config.mjs'),
    `export default { root: ${JSON.stringify(home)}, resolve: { alias: [{ find: /^(react|react-dom)(?=\\/|$)/, replacement: ${JSON.stringify(`${modules}/$1`)} }] } }`,
  )
  await promisify(execFile)(process.execPath, [
    join(modules, 'vite', 'bin', 'vite.js'),
    'build',
    '--config',
    join(home, 'vite.config.mjs'),
    '--logLevel',
    'error',
  ])
  const text = (path: string) => readFileSync(join(home, 'dist', path), 'utf8')
  const assets = readdirSync(join(home, 'dist', 'assets')).map(
    (name) => [`/assets/${name}`, { type: 'text/javascript', text: text(`assets/${name}`) }] as const,
  )
  return { '/': { type: 'text/html; charset=utf-8', text: text('index.html') }, ...Object.fromEntries(assets) }
}
