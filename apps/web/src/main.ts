import { loadPageAt } from '#app/pages.ts'
import '#app/theme/main.css'

const root = document.querySelector('#root')
const frame = document.querySelector('#frame')

if (root && frame) {
  // Loads the page's scripts in parallel with those of the app.
  loadPageAt(location.pathname)
  void import('#app/start.tsx').then(({ start }) => start(root))
  new MutationObserver((_, observer) => {
    frame.remove()
    observer.disconnect()
  }).observe(root, { childList: true })
}
